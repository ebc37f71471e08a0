// The conversation with the worker thread when everything goes wrong: it dies, hangs, answers late, and texts change while they are sent.
import assert from "node:assert/strict";
import type { ToWorker } from "../../../src/extension/requests/protocol.js";
import { WorkerClient, WorkerGoneError, type TextSource, type WorkerListener } from "../../../src/extension/requests/workerClient.js";

interface FakeThread {
  readonly listener: WorkerListener;
  readonly posted: ToWorker[];
  isTerminated: boolean;
}

interface FakeTimer {
  readonly ms: number;
  readonly action: () => void;
}

class World {
  readonly threads: FakeThread[] = [];
  readonly timers = new Set<FakeTimer>();
  readonly ends: string[] = [];
  pauses = 0;
  onPause: () => void = () => {};
  readonly client = new WorkerClient({
    start: (listener) => {
      const thread: FakeThread = { listener, posted: [], isTerminated: false };
      this.threads.push(thread);
      return {
        post: (message) => thread.posted.push(message),
        terminate: () => {
          thread.isTerminated = true;
        },
      };
    },
    setTimer: (ms, action) => {
      const timer = { ms, action };
      this.timers.add(timer);
      return () => this.timers.delete(timer);
    },
    pause: () => {
      this.pauses += 1;
      this.onPause();
      return Promise.resolve();
    },
    maxLength: 100,
    onEnd: (reason) => this.ends.push(reason),
  });

  get thread(): FakeThread {
    const last = this.threads.at(-1);
    if (last === undefined) throw new Error("No thread was started.");
    return last;
  }

  answer(output: unknown): void {
    const question = this.thread.posted.findLast((message) => message.kind === "ask");
    if (question?.kind !== "ask") throw new Error("Nothing was asked.");
    this.thread.listener.onMessage({ kind: "answer", id: question.id, output });
  }

  /** Lets the only timer go off. */
  elapse(): void {
    const [timer, other] = [...this.timers];
    if (timer === undefined || other !== undefined) throw new Error(`There are ${this.timers.size} timers.`);
    this.timers.delete(timer);
    timer.action();
  }
}

class Text implements TextSource {
  readonly uri = "file:///r.json";
  version = 1;
  constructor(public parts: readonly string[]) {}
  get length(): number {
    return this.parts.join("").length;
  }
  pieces(): Iterable<string> {
    return this.parts;
  }
}

const hover = { uri: "file:///r.json", offset: 0 };

describe("the worker client", () => {
  it("starts no thread until something is asked", () => {
    const world = new World();
    assert.equal(world.client.isRunning, false);
    void world.client.ask("hover", hover);
    assert.equal(world.threads.length, 1);
    void world.client.ask("hover", hover);
    assert.equal(world.threads.length, 1);
  });

  it("gives each question its own answer, in whatever order they come", async () => {
    const world = new World();
    const first = world.client.ask("symbols", { uri: "a" });
    const second = world.client.ask("symbols", { uri: "b" });
    const ids = world.thread.posted.flatMap((message) => (message.kind === "ask" ? message.id : []));
    world.thread.listener.onMessage({ kind: "answer", id: ids[1] ?? 0, output: ["b"] });
    world.thread.listener.onMessage({ kind: "answer", id: ids[0] ?? 0, output: ["a"] });
    assert.deepEqual(await Promise.all([first, second]), [["a"], ["b"]]);
  });

  it("fails a question with what the worker says, and stays usable", async () => {
    const world = new World();
    const asked = world.client.ask("hover", hover);
    world.thread.listener.onMessage({ kind: "failure", id: 1, message: "a bug" });
    await assert.rejects(asked, /a bug/);
    const next = world.client.ask("hover", hover);
    world.answer(null);
    assert.equal(await next, null);
    assert.equal(world.threads.length, 1);
  });

  it("fails what was asked when the thread dies, and sends everything again to the next one", async () => {
    const world = new World();
    const text = new Text(["{}"]);
    assert.equal(await world.client.sync(text), true);
    const asked = world.client.ask("hover", hover);
    world.thread.listener.onEnd("out of memory");
    await assert.rejects(asked, (error) => WorkerGoneError.is(error) && /out of memory/.test(error.message));
    assert.equal(world.client.isRunning, false);
    assert.equal(await world.client.sync(text), true);
    assert.equal(world.threads.length, 2);
    assert.deepEqual(world.thread.posted.map(({ kind }) => kind), ["text"]);
    assert.deepEqual(world.ends, ["out of memory"]);
  });

  it("does not take the late end of an old thread for that of the new one", async () => {
    const world = new World();
    void world.client.ask("hover", hover).catch(() => {});
    const old = world.thread;
    old.listener.onEnd("first");
    const asked = world.client.ask("hover", hover);
    old.listener.onEnd("again");
    world.answer(null);
    assert.equal(await asked, null);
  });

  it("ends a thread that does not answer", async () => {
    const world = new World();
    const asked = world.client.ask("hover", hover);
    world.elapse();
    await assert.rejects(asked, WorkerGoneError);
    assert.equal(world.thread.isTerminated, true);
  });

  it("sends a text once for each version", async () => {
    const world = new World();
    const text = new Text(["{", "}"]);
    await world.client.sync(text);
    await world.client.sync(text);
    assert.deepEqual(
      world.thread.posted.map((message) => (message.kind === "text" ? [message.piece, message.isFirst, message.isLast] : message.kind)),
      [
        ["{", true, false],
        ["}", false, true],
      ],
    );
    text.version = 2;
    text.parts = ["[]"];
    await world.client.sync(text);
    assert.equal(world.thread.posted.length, 3);
  });

  it("sends an empty text too", async () => {
    const world = new World();
    await world.client.sync(new Text([]));
    assert.deepEqual(world.thread.posted, [{ kind: "text", uri: "file:///r.json", version: 1, piece: "", isFirst: true, isLast: true }]);
  });

  it("lets the host breathe between pieces, and gives up when the text changes meanwhile", async () => {
    const world = new World();
    const text = new Text(["a", "b", "c"]);
    world.onPause = () => {
      text.version += 1;
    };
    assert.equal(await world.client.sync(text), false);
    assert.equal(world.pauses, 1);
    assert.ok(!world.thread.posted.some((message) => message.kind === "text" && message.isLast));
    world.onPause = () => {};
    assert.equal(await world.client.sync(text), true);
    assert.equal(world.pauses, 3);
  });

  it("never mixes the pieces of two sendings", async () => {
    const world = new World();
    const text = new Text(["a", "b"]);
    assert.deepEqual(await Promise.all([world.client.sync(text), world.client.sync(text)]), [true, true]);
    assert.equal(world.thread.posted.length, 2);
  });

  it("announces a text beyond the limit instead of sending it", async () => {
    const world = new World();
    await world.client.sync(new Text(["x".repeat(101)]));
    assert.deepEqual(world.thread.posted, [{ kind: "oversized", uri: "file:///r.json", version: 1, length: 101 }]);
  });

  it("ends the thread when nobody has needed it for a while", async () => {
    const world = new World();
    await world.client.sync(new Text(["{}"]));
    world.client.forget("file:///r.json");
    world.elapse();
    assert.equal(world.thread.isTerminated, true);
    assert.deepEqual(world.ends, ["idle"]);
  });

  it("keeps the thread when it is needed again in time", async () => {
    const world = new World();
    await world.client.sync(new Text(["{}"]));
    world.client.forget("file:///r.json");
    await world.client.sync(new Text(["{}"]));
    assert.equal(world.timers.size, 0);
    assert.equal(world.threads.length, 1);
  });

  it("fails everything when it is disposed of, and starts nothing any more", async () => {
    const world = new World();
    const asked = world.client.ask("hover", hover);
    world.client.dispose();
    await assert.rejects(asked, WorkerGoneError);
    assert.equal(world.thread.isTerminated, true);
    assert.throws(() => world.client.ask("hover", hover), WorkerGoneError);
    await assert.rejects(world.client.sync(new Text(["{}"])), WorkerGoneError);
    assert.equal(world.timers.size, 0);
  });
});
