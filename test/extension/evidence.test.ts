// The evidence about a claim: complete, in order, the deciding check marked, raw values never taken for markup.
import assert from "node:assert/strict";
import { evidenceOf } from "../../src/extension/evidence/evidence.js";
import { evidenceMarkdown } from "../../src/extension/evidence/markdown.js";
import { evidencePlainText } from "../../src/extension/evidence/plainText.js";
import { issueReport } from "../../src/extension/evidence/issueReport.js";
import { tooltipOf } from "../../src/extension/evidence/tooltip.js";
import { settingDefaults } from "../../src/extension/contract.js";
import type { Subject } from "../../src/extension/tree/treeNode.js";
import { englishText } from "../../src/shared/text.js";
import { claim, entry, live, now, root, run, snapshot, stale, store, unknown } from "./builders.js";

const context = { t: englishText, now };
const lattice = store("/p/.lattice");
const held = claim(stale, { path: "/p/.lattice/runs/run-serial/.lifecycle.lock" });

function subject(of = held): Subject {
  return { kind: "claim", store: lattice, run: null, claim: of, repair: null };
}

function plain(of: Subject): string {
  const evidence = evidenceOf(of, context);
  assert.ok(evidence);
  return evidencePlainText(evidence, englishText);
}

describe("evidence", () => {
  it("is one aligned text that holds everything known", () => {
    assert.equal(
      plain(subject()),
      [
        "Lifecycle lock of run-serial",
        "============================",
        "",
        "stale, weak proof",
        "The kernel knows no process with the recorded PID: the owner is gone.",
        "",
        "  Id           id-of-/p/.lattice/runs/run-serial/.lifecycle.lock",
        "  Path         /p/.lattice/runs/run-serial/.lifecycle.lock",
        "  Owner        pid 4312",
        "  Started      Sun Mar  1 08:00:00 2026",
        "  Platform     linux",
        "  Operation    recompile",
        "  Observed at  2026-03-01T12:00:00.000Z",
        "",
        "Checks",
        "------",
        "",
        "▸ Process: different, this decided",
        "    recorded  4312",
        "    observed  no-such-process",
        "",
        "What was assumed",
        "----------------",
        "",
        "  • The record names no host; it is taken to be this one.",
        "  • The record names no boot; a PID from before a restart looks the same.",
        "",
        "File",
        "----",
        "",
        "  Device                   1",
        "  Inode                    2",
        "  Bytes                    300",
        "  Modified, ns since 1970  1772355600000000000",
        "  Hard links               1",
        `  SHA-256                  ${"0".repeat(64)}`,
        "",
      ].join("\n"),
    );
  });

  it("says what would settle an unknown verdict", () => {
    assert.match(plain(subject(claim(unknown, { path: "/p/x" }))), /What would settle it\n-+\n\n {2}• Look from inside the container in which the owner runs\./);
  });

  it("of a quarantined item names both places, who moved it, and the verdict of that time", () => {
    const text = plain({ kind: "entry", store: lattice, entry: entry("quarantined", held) });
    for (const part of ["Quarantined lifecycle lock of run-serial", "It was stale.", "Came from", "kim@desk", "/q/run-serial/lifecycle.lock.1.record.json", "2 hours ago"]) {
      assert.ok(text.includes(part), part);
    }
  });

  it("of an item that cannot be read says why", () => {
    assert.match(plain({ kind: "entry", store: lattice, entry: entry("unreadable", held) }), /unreadable\nThe record beside the item is cut or not JSON\./);
  });

  it("is Markdown that a hostile name cannot break out of", () => {
    const hostile = claim(stale, { path: "/p/`|x`\n# boo/.lifecycle.lock", resource: "[a](command:evil) <b> $(check) \u202Egpj", facts: [{ name: "operation", value: "`]|" }] });
    const evidence = evidenceOf(subject(hostile), context);
    assert.ok(evidence);
    const markdown = evidenceMarkdown(evidence, englishText);
    assert.match(markdown, /^### Lifecycle lock of \\\[a\\\]\(command:evil\) \\<b\\> \\\$\(check\) \\\\u\\{202e\\}gpj$/m);
    assert.ok(markdown.includes("``/p/`\\|x`\\u{a}# boo/.lifecycle.lock``"));
    const tooltip = tooltipOf(subject(hostile), context);
    assert.doesNotMatch(tooltip, /[^\\]\[a\]|[^\\]<b|\u202E|[^\\]\$\(/);
  });

  it("in a tooltip shows equal values once and shortens digests", () => {
    const digest = "ab".repeat(32);
    const one = claim(live, {
      path: "/p/x",
      checks: [
        { id: "lock-content", recorded: digest, observed: digest, outcome: "same", decides: false },
        { id: "start-instant", recorded: "Sun", observed: "Mon", outcome: "same", decides: true },
      ],
    });
    assert.ok(tooltipOf(subject(one), context).includes(`- Content: same, \`${"ab".repeat(10)}…`));
    assert.ok(tooltipOf(subject(one), context).includes("- **Start, in our zone: same, this decided**, recorded `Sun`, observed `Mon`"));
  });
});

describe("an issue report", () => {
  it("counts and names nothing", () => {
    const taken = snapshot([root("/home/kim/secret", [store("/home/kim/secret/.lattice", { runs: [run("/home/kim/secret/.lattice", "private-run", [stale, live])] })])]);
    const text = issueReport({ version: "0.1.0", editor: "1.90.0 (desktop)", platform: "linux", snapshot: taken, settings: { ...settingDefaults, roots: ["/home/kim/more"] }, failure: "EACCES: permission denied, open '/home/kim/secret'" });
    assert.doesNotMatch(text, /kim|secret|private|4312/);
    assert.match(text, /lifecycle-lock stale pid_absent +\| 1/);
    assert.match(text, /cli-lock live +\| 1/);
    assert.match(text, /roots +\| 1 entries/);
    assert.match(text, /## Last failure\n\nEACCES/);
  });
});
