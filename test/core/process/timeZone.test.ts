import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readStartText } from "../../../src/core/process/lstart.js";
import { ownTimeZone, resolveTimeZone, wallSecondsIn, zoneNameOfPath, type TimeZone } from "../../../src/core/process/timeZone.js";

const at = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts) / 1000;
const winter = at(2026, 0, 15, 12, 0, 0);
const summer = at(2026, 6, 15, 12, 0, 0);

function offset(value: string | null, epochSeconds: number, system: string | null = "Etc/UTC"): number | null {
  const wall = wallSecondsIn(resolveTimeZone(value, system), epochSeconds);
  return wall === null ? null : wall - epochSeconds;
}

describe("what a TZ value means", () => {
  it("is a zone file, by name, after one colon, or by absolute path", () => {
    for (const value of ["Asia/Tokyo", ":Asia/Tokyo", "posix/Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", ":/usr/share/zoneinfo/Asia/Tokyo"]) {
      assert.equal(offset(value, winter), 32_400, value);
    }
  });

  it("is the system's zone when unset, and when it names the system's file", () => {
    for (const value of [null, "/etc/localtime", ":/etc/localtime"]) assert.equal(offset(value, winter, "Asia/Kolkata"), 19_800, String(value));
    assert.deepEqual(resolveTimeZone(null, null), { kind: "unrenderable", wholeQuarterHours: true });
  });

  it("is UTC when empty or invalid, as the C library has it, even where Intl knows an alias", () => {
    for (const value of ["", ":", "Foo/Bar", "JST", "IST", "PST", "asia/tokyo", "+05:30", "A5", "ABC5x", " UTC", "Asia/Tokyo ", "<AB>5"]) {
      assert.equal(offset(value, winter), 0, value);
    }
  });

  it("is a POSIX offset, counted west of Greenwich, with minutes and seconds and a name in brackets", () => {
    const table: readonly (readonly [string, number])[] = [
      ["JST-9", 32_400],
      ["UTC+3", -10_800],
      ["GMT+5", -18_000],
      ["<+0530>-5:30", 19_800],
      ["XXX3:07:13", -11_233],
      ["ABC25", -86_400],
      ["ABC24:59", -89_940],
      ["ABC-167", 86_400],
      ["ABC0", 0],
    ];
    for (const [value, seconds] of table) assert.equal(offset(value, winter), seconds, value);
  });

  it("is not computed for a POSIX rule with summer time, but known to be whole quarter hours or not", () => {
    const table: readonly (readonly [string, boolean])[] = [
      ["JST-9JDT", true],
      ["EST5EDT,M3.2.0,M11.1.0", true],
      ["<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", true],
      ["FOO3BAR2:07:13", false],
      ["FOO3:07:13BAR", false],
    ];
    for (const [value, wholeQuarterHours] of table) assert.deepEqual(resolveTimeZone(value, null), { kind: "unrenderable", wholeQuarterHours }, value);
  });

  it("may be anything for files with leap seconds and files elsewhere", () => {
    const odd: TimeZone = { kind: "unrenderable", wholeQuarterHours: false };
    for (const value of ["right/UTC", ":right/Asia/Tokyo", "/usr/share/zoneinfo/right/UTC", "/home/dev/zone"]) assert.deepEqual(resolveTimeZone(value, null), odd, value);
  });

  it("knows summer time, half and quarter hours, and both passes of the hour that comes twice", () => {
    assert.equal(offset("America/Los_Angeles", winter), -28_800);
    assert.equal(offset("America/Los_Angeles", summer), -25_200);
    assert.equal(offset("Australia/Lord_Howe", summer), 37_800);
    assert.equal(offset("Asia/Kathmandu", winter), 20_700);
    const firstPass = at(2026, 9, 25, 0, 30, 0);
    const zone = resolveTimeZone("Europe/Berlin", null);
    assert.equal(wallSecondsIn(zone, firstPass), wallSecondsIn(zone, firstPass + 3600));
  });

  it("of this process is TZ itself, else the zone that Intl sees", () => {
    assert.equal(ownTimeZone({ TZ: "JST-9" }), "JST-9");
    assert.equal(ownTimeZone({ TZ: "" }), "");
    assert.equal(ownTimeZone({}), new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it("has its name behind the zone directory of a path", () => {
    assert.equal(zoneNameOfPath("../usr/share/zoneinfo/Europe/Berlin"), "Europe/Berlin");
    assert.equal(zoneNameOfPath("/var/db/timezone/zoneinfo/Asia/Tokyo"), "Asia/Tokyo");
    assert.equal(zoneNameOfPath("/usr/share/zoneinfo.default/UTC"), "UTC");
    assert.equal(zoneNameOfPath("/home/dev/zone"), null);
  });

  it("gives the wall clock that the real ps prints", function () {
    if (process.platform !== "linux" || !existsSync("/bin/ps") || !existsSync("/usr/share/zoneinfo/Asia/Tokyo")) {
      console.log("skipped: needs Linux with /bin/ps and zone files");
      this.skip();
    }
    const real = (zone: string): number => {
      const result = spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(process.pid)], { env: { TZ: zone }, encoding: "utf8" });
      const wall = readStartText(result.stdout);
      assert.ok(wall !== null, `${zone}: ${result.stdout}${result.stderr}`);
      return wall;
    };
    const started = real("UTC");
    const zones = ["Asia/Tokyo", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu", "JST-9", ":Asia/Tokyo", "", "Foo/Bar", "JST", "IST", "asia/tokyo", "<+0530>-5:30", "XXX3:07:13"];
    for (const zone of [...zones, "ABC25", "ABC24:59", "ABC5:60", "ABC-167", "GMT+5", "+05:30", "A5", "ABC5x", "Etc/GMT+5", ":/etc/localtime", "Europe/London", "CET", "EST5EDT"]) {
      const system = resolveTimeZone(null, "UTC");
      const expected = zone === ":/etc/localtime" ? wallSecondsIn(system, started) : wallSecondsIn(resolveTimeZone(zone, "UTC"), started);
      if (zone === ":/etc/localtime" && real(zone) !== started) continue; // a machine that does not run in UTC
      assert.equal(expected, real(zone), `TZ=${zone}`);
    }
  });
});
