import assert from "node:assert/strict";
import fc from "fast-check";
import { checkLifecycleLock, isStartIdentity, sealLifecycleLock, sealStartIdentity } from "../../../src/core/systems/lattice/lifecycleLock.js";

const identity = sealStartIdentity({ platform: "linux", pid: 4242, started_identity: "Tue Dec  1 02:00:00 2026" });
const body = {
  owner_pid: 4242,
  owner_process_start_identity: identity,
  session_nonce_digest: "a".repeat(64),
  operation: "recompile",
  request_id: "request-a",
  acquired_at: "2026-07-21T00:00:00.000Z",
};
const sealed = sealLifecycleLock(body);
const text = Buffer.from(sealed.bytes).toString("utf8");

function bytesOf(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

function diagnosticOf(bytes: Uint8Array): string {
  const check = checkLifecycleLock(bytes);
  assert.ok(check.kind !== "valid");
  return `${check.kind}: ${check.diagnostic}`;
}

describe("checkLifecycleLock", () => {
  it("reads back what sealLifecycleLock made", () => {
    assert.deepEqual(checkLifecycleLock(sealed.bytes), { kind: "valid", lock: sealed.lock });
    assert.equal(sealed.lock.lock_digest, "10240ef3b7b09f1ffd2ace08b9a49f26ad1d5ae4d8dfc422007fbb6fbf694a0b");
  });

  it("takes no prefix of a lock for a lock: all but the last are torn, the one without LF is not canonical", () => {
    for (let length = 0; length < sealed.bytes.byteLength; length += 1) {
      const { kind } = checkLifecycleLock(sealed.bytes.subarray(0, length));
      assert.equal(kind, length === sealed.bytes.byteLength - 1 ? "invalid" : "torn", String(length));
    }
  });

  it("accepts no other bytes: any changed byte is found", () => {
    fc.assert(
      fc.property(fc.nat(sealed.bytes.byteLength - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        fc.pre(sealed.bytes[at] !== byte);
        const changed = Uint8Array.from(sealed.bytes);
        changed[at] = byte;
        assert.notEqual(checkLifecycleLock(changed).kind, "valid");
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => assert.notEqual(checkLifecycleLock(bytes).kind, "valid")), { numRuns: 2000 });
    assert.equal(checkLifecycleLock(bytesOf("[".repeat(65_536))).kind, "torn");
    assert.equal(checkLifecycleLock(bytesOf(`${"[".repeat(30_000)}${"]".repeat(30_000)}`)).kind, "invalid");
  });

  it("says what kind of not-JSON it found", () => {
    assert.match(diagnosticOf(new Uint8Array(0)), /^torn: .*empty/);
    assert.match(diagnosticOf(new Uint8Array(400)), /^torn: .*400 zero bytes/);
    assert.match(diagnosticOf(bytesOf(`\uFEFF${text}`)), /^torn: .*byte order mark/);
    assert.match(diagnosticOf(Buffer.from(`\uFEFF${text}`, "utf16le")), /^torn: .*UTF-16/);
    assert.match(diagnosticOf(bytesOf("locked\n")), /^torn: .*not JSON/);
    assert.match(diagnosticOf(bytesOf(text.slice(0, 200))), /^torn: .*after 200 bytes/);
  });

  it("calls a file that is cut inside a character torn, and complete JSON that is not UTF-8 invalid", () => {
    const umlaut = bytesOf(text.replace("recompile", "ü"));
    const cut = umlaut.subarray(0, umlaut.indexOf(0xc3) + 1);
    assert.equal(checkLifecycleLock(cut).kind, "torn");
    assert.match(diagnosticOf(Uint8Array.from([0x22, 0xff, 0x22])), /^invalid: .*not UTF-8/);
  });

  it("finds a duplicate key, of which parsing keeps only the last", () => {
    assert.match(diagnosticOf(bytesOf(text.replace("{", '{"acquired_at":"2020-01-01T00:00:00.000Z",'))), /^invalid: .*canonical/);
  });

  it("points at the member that is wrong, missing or too many, and never quotes values", () => {
    const table: readonly (readonly [unknown, string])[] = [
      [{ ...sealed.lock, extra: "secret-value" }, "/extra"],
      [{ ...sealed.lock, operation: "secret value" }, "/operation"],
      [{ ...sealed.lock, owner_pid: 1 }, "/owner_pid"],
      [{ ...sealed.lock, owner_process_start_identity: { ...identity, "a/b": "secret-value" } }, "/owner_process_start_identity/a~1b"],
      [{ ...sealed.lock, lock_digest: "f".repeat(64) }, "/lock_digest"],
      [[], ""],
    ];
    for (const [value, pointer] of table) {
      const check = checkLifecycleLock(bytesOf(JSON.stringify(value)));
      assert.ok(check.kind === "invalid");
      assert.equal(check.pointer, pointer);
      assert.doesNotMatch(check.diagnostic, /secret.value/);
    }
  });
});

describe("sealing", () => {
  it("refuses to make a record that we could not read back", () => {
    for (const bad of [{ operation: "two words" }, { owner_pid: 7 }, { acquired_at: "yesterday" }, { session_nonce_digest: "zz" }]) {
      assert.throws(() => sealLifecycleLock({ ...body, ...bad }), TypeError, JSON.stringify(bad));
    }
  });

  it("makes an identity whose digest covers pid, platform and start text", () => {
    assert.equal(identity.identity_digest, "1532f9408095470a5da99bdf454d9d7df3f93b3637e3c2f6d607d43fae24036f");
    assert.ok(isStartIdentity(identity));
    for (const change of [{ pid: 4243 }, { platform: "darwin" }, { started_identity: "x" }]) assert.ok(!isStartIdentity({ ...identity, ...change }));
  });
});
