// The rows inside a run: golden texts of two run directories, and what must hold for every row of every run.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { RunDetail } from "../../../src/core/systems/lattice/store/runDetail.js";
import { tooltipOf } from "../../../src/extension/evidence/tooltip.js";
import { itemsBelow } from "../../../src/extension/run/detailChildren.js";
import { recordOf } from "../../../src/extension/run/record.js";
import { requestVersions } from "../../../src/extension/run/requestVersions.js";
import type { Child } from "../../../src/extension/tree/children.js";
import { rowOf } from "../../../src/extension/tree/rows.js";
import { englishText, type Translate } from "../../../src/shared/text.js";
import { now } from "../builders.js";
import { repositoryRoot } from "../../tools/processGroup.mjs";
import { drawn, insideRun, lookInto, withRun } from "./drawnRun.js";

const seen = (detail: RunDetail) => ({ kind: "seen", detail }) as const;

function childrenOfRun(detail: RunDetail, limit?: number): readonly Child[] {
  const all: Child[] = [];
  insideRun(seen(detail), (child) => all.push(child), limit);
  return all;
}

describe("the rows inside a run", () => {
  it("show a recompiled run from its status to its leases, newest events first, page by page", async () => {
    const text = await withRun("lib-seam-split-050-7-epoch2-active", ({ detail }) => drawn(seen(detail), { limit: 7 }));
    assert.equal(
      text,
      [
        "$(play-circle) Status | running · epoch 2",
        "  $(symbol-property) Event chain | valid, 18 events",
        "  $(symbol-property) Carried over | T3",
        "  $(symbol-property) To be dispatched again | T1, T2",
        "  $(symbol-property) Treatment | code seam, transform can be tried",
        "  $(symbol-property) Written for | runtime 0.50",
        "$(checklist) Todos | 1 running · 6",
        "  $(circle-large-outline) T1a | ready",
        "  $(circle-large-outline) T1b | ready",
        "  $(watch) T2n | waiting",
        "  $(play-circle) T3 | running · carried over",
        "  $(stop-circle) T1 | ended · to be dispatched again · not in the plan",
        "  $(stop-circle) T2 | ended · to be dispatched again · not in the plan",
        "$(layers) Epochs | 2",
        "  $(history) Epoch 1 | superseded · 3 todos",
        "  $(pass-filled) Epoch 2 | committed · 4 todos",
        "$(list-ordered) Events | valid · 18",
        "  $(circle-small) 17 · intake_resumed | 2026-07-21 00:00:50Z",
        "  $(circle-small) 16 · epoch_rebound | T3 · 2026-07-21 00:00:50Z",
        "  $(circle-small) 15 · context_invalidated | T2 · 2026-07-21 00:00:40Z",
        "  $(circle-small) 14 · context_invalidated | T1 · 2026-07-21 00:00:40Z",
        "  $(circle-small) 13 · plan_recompiled | 2026-07-21 00:00:40Z",
        "  $(circle-small) 12 · executor_terminal | T2 · 2026-07-21 00:00:40Z",
        "  $(circle-small) 11 · executor_terminal | T1 · 2026-07-21 00:00:40Z",
        "  $(ellipsis) Load 7 of 11 more | ",
        "$(git-merge) Findings | held for · 1",
        "  $(debug-pause) observed_write_conflict | held for · T1, T2 · src/t2.mjs",
        "$(key) Leases | 1",
        "  $(key) a23f30ab80bb… | armed",
      ].join("\n"),
    );
  });

  it("show a run whose event was edited as damaged, where, and what it claims to be", async () => {
    const text = await withRun("corrupt-event-edited", ({ detail }) => drawn(seen(detail), { limit: 100 }));
    const lines = text.split("\n");
    assert.equal(lines[0], "$(error) Status | damaged · says running · epoch 2");
    assert.ok(lines.includes("  $(symbol-property) Event chain | invalid, 18 events"));
    assert.deepEqual(lines.filter((line) => line.includes("unsound")), [
      "  $(error) 3 · executor_dispatched | unsound · T1 · 2026-07-21 00:00:20Z",
      "  $(error) 2 · dispatch_decided | unsound · 2026-07-21 00:00:20Z",
    ]);
    assert.deepEqual(lines.slice(lines.indexOf("$(warning) Problems | error · 1")), [
      "$(warning) Problems | error · 1",
      "  $(error) event chain invalid | error · events.json#/2/event_digest",
    ]);
  });

  it("say who supervises, and since when a run is frozen", async () => {
    const text = await withRun("activated-0.50", ({ detail }) => drawn(seen(detail)));
    assert.match(text, /^\$\(lock\) Status \| frozen · epoch 1 · frozen since event 9$/m);
    assert.match(text, /^ {2}\$\(question\) Supervisor \| unknown · pid 30736 · no socket$/m);
    assert.match(text, /^ {2}\$\(question\) scripted-[0-9a-f-]+ \| unknown · pid 30752 · no socket · heartbeat from the future$/m);
    assert.match(text, /^ {2}\$\(info\) supervisor socket missing \| note · supervisor\/control\.sock$/m);
  });

  it("are one placeholder until somebody looks", () => {
    assert.equal(drawn({ kind: "unseen" }), "$(eye) Status | not looked at yet");
    assert.equal(drawn({ kind: "looking" }), "$(loading~spin) Status | looking…");
    assert.equal(drawn({ kind: "failed", message: "EIO\u202e" }), "$(circle-slash) Status | failed · EIO\\u{202e}");
  });

  it("list what a crash left behind with its age", async () => {
    const text = await withRun("fresh-0.50", async ({ directory }) => {
      const file = path.join(directory, ".events.json-812-2f1c1f0e-6d0a-4c5e-8a59-7e0f6d0c1b2a.tmp");
      fs.writeFileSync(file, "[");
      fs.utimesSync(file, (now - 7_200_000) / 1000, (now - 7_200_000) / 1000);
      return drawn(seen(await lookInto(directory)));
    });
    assert.match(text, /^ {2}\$\(trash\) \.events\.json-812-[0-9a-f-]+\.tmp \| temporary file · 2 h$/m);
  });

  it("never show a hostile name as it is", async () => {
    await withRun("fresh-0.50", async ({ directory }) => {
      fs.writeFileSync(path.join(directory, "\u202egnp.exe"), "");
      const detail = await lookInto(directory);
      assert.ok(!drawn(seen(detail)).includes("\u202e"));
      for (const { subject } of childrenOfRun(detail)) assert.ok(!tooltipOf(subject, { t: englishText, now }).includes("\u202e"));
    });
  });

  it("open records only, each at its value", async () => {
    await withRun("corrupt-event-edited", ({ detail, directory }) => {
      const places = childrenOfRun(detail).flatMap(({ subject }) => (subject.kind === "detail" ? [{ kind: subject.item.kind, place: recordOf(subject.item) }] : []));
      assert.deepEqual(places.find(({ kind }) => kind === "event")?.place, { path: path.join(directory, "events.json"), pointer: "/17" });
      assert.deepEqual(places.find(({ kind }) => kind === "runProblem")?.place, { path: path.join(directory, "events.json"), pointer: "/2/event_digest" });
      assert.deepEqual(places.find(({ kind }) => kind === "epoch")?.place, { path: path.join(directory, "epochs/00000001/epoch-bundle.json"), pointer: null });
      assert.deepEqual(places.filter(({ kind, place }) => (kind === "todo" || kind === "status" || kind === "lease") && place !== null), []);
    });
  });

  it("compare requests only where a later epoch is in force", async () => {
    await withRun("lib-seam-split-050-7-epoch2-active", ({ detail }) => {
      assert.deepEqual(requestVersions(detail)?.map(({ epoch }) => epoch), [1, 2]);
    });
    await withRun("lib-seam-split-050-4-held", ({ detail }) => {
      assert.equal(requestVersions(detail), null);
    });
  });

  describe("of every run directory", () => {
    /** A language that nobody speaks: what was not translated stands out. */
    const pseudo: Translate = (message, ...args) => `⟦${englishText(message, ...args)}⟧`;
    const fixtures = fs.readdirSync(path.join(repositoryRoot, "test/fixtures/rundirs/lattice")).sort();

    for (const fixture of fixtures) {
      it(`have ids of their own, words for a screen reader and no empty group: ${fixture}`, async () => {
        await withRun(fixture, ({ detail }) => {
          const all = childrenOfRun(detail);
          assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
          for (const { id, subject } of all) {
            const row = rowOf(subject, { t: englishText, now });
            assert.ok(row.spoken.startsWith(row.label), id);
            assert.match(row.contextValue, /^detail;/, id);
            assert.notEqual(row.icon.id, "", id);
            assert.equal(typeof tooltipOf(subject, { t: englishText, now }), "string");
            if (subject.kind === "detail" && subject.item.kind === "group") assert.notEqual(itemsBelow(subject.item).length, 0, id);
            if (subject.kind === "detail" && subject.item.kind === "runProblem") assert.ok(rowOf(subject, { t: pseudo, now }).label.startsWith("⟦"), subject.item.problem.code);
          }
        });
      });
    }
  });
});
