// Owns: what a person reads about the value under the cursor: a sentence or two, then where it comes from. Markdown, no HTML.
// Leaves to others: the facts (worker/describe.ts). Pure.
import path from "node:path";
import { displayText } from "../../shared/displayText.js";
import type { Translate } from "../../shared/text.js";
import { code, prose } from "../evidence/markdown.js";
import type { DigestMeaning, FilePlace, FoundFact, HoverFact, WitnessFact } from "./protocol.js";

/** How a place in a file becomes a link: Markdown in, Markdown out. */
export type Link = (text: string, place: FilePlace) => string;

/** Names shown before the rest is counted. */
const fewNames = 5;

export function hoverText(fact: HoverFact, t: Translate, link: Link): string {
  switch (fact.kind) {
    case "digest":
      return paragraphs(meaningText(fact.meaning, t), matchText(fact.matches, fact.expected, t), fact.finding === null ? null : findingText(fact.finding, t), sourceText(fact, t, link));
    case "binding":
      return paragraphs(bindingText(fact.field, t), matchText(fact.matches, fact.expected, t), fact.source === null ? null : t("From {0}", placeText(fact.source, link)));
    case "todo":
      return todoText(fact, t);
    case "word":
      return paragraphs(`**${shown(fact.word)}**`, wordText(fact.field, fact.word, t));
  }
}

/** Raw text from a file outside of a code span. */
function shown(raw: string): string {
  return prose(displayText(raw));
}

function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join("\n\n");
}

/** A directory opens in no editor, so it is named, not linked. */
function placeText(source: FilePlace, link: Link): string {
  return source.place === null ? code(source.file) : link(fileName(source), source);
}

function fileName({ file }: FilePlace): string {
  return path.basename(file);
}

function meaningText(meaning: DigestMeaning, t: Translate): string {
  switch (meaning.kind) {
    case "self":
      return selfText(meaning.of, t);
    case "migration-binding":
      return t("The digest of the task migration, so that the two cannot be exchanged separately.");
    case "predecessor-request":
      return t("The digest of the request that this one replaces.");
    case "frozen-event":
      return t("The last event that froze the run.");
    case "hold-decision":
      return t("The last decision about who is held and who carries on.");
    case "finding":
      return t("The finding that this request treats.");
    case "evidence":
      return t("Evidence for this entry: the digest of an artifact of the run.");
    case "other":
      return t("The digest of another part or artifact.");
  }
}

function selfText(of: Extract<DigestMeaning, { kind: "self" }>["of"], t: Translate): string {
  switch (of) {
    case "request":
      return t("The digest of the whole request. Computed last, since it covers all others.");
    case "successor":
      return t("The digest of the successor request.");
    case "migration":
      return t("The digest of the task migration.");
    case "seam":
      return t("The digest of the seam split.");
    case "ownership":
      return t("The digest of the ownership diff.");
    case "edges":
      return t("The digest of the edge diff.");
    case "serial":
      return t("The digest of the intentional serial.");
    case "phase":
      return t("The digest of the phase revision.");
  }
}

function matchText(matches: boolean | null, expected: string | null, t: Translate): string | null {
  if (matches === null || expected === null) return null;
  return matches ? t("✓ Matches.") : t("✗ Does not match. Expected: {0}", code(expected));
}

function sourceText({ source, matches }: Extract<HoverFact, { kind: "digest" }>, t: Translate, link: Link): string | null {
  if (source === null) return null;
  const place = placeText(source, link);
  if (matches !== null) return t("From {0}", place);
  return source.isOwn ? t("Found: {0} in {1}", code(source.name), place) : t("Mentioned as {0} in {1}", code(source.name), place);
}

function findingText({ todoIds, path: place, resourceId, epoch }: FoundFact, t: Translate): string {
  const about = place ?? resourceId ?? "";
  return t("{0} in epoch {1}, between {2}", code(about), epoch, names(todoIds, t));
}

function bindingText(field: string, t: Translate): string {
  switch (field) {
    case "run_id":
      return t("The run that is recompiled: the name of its directory.");
    case "request_id":
      return t("The successor request has the id of the run.");
    case "predecessor_epoch":
      return t("The epoch that is committed now.");
    case "resource_id":
      return t("What the todos must not touch at the same time.");
    default:
      return code(field);
  }
}

function wordText(field: Extract<HoverFact, { kind: "word" }>["field"], word: string, t: Translate): string {
  switch (`${field}:${word}`) {
    case "disposition:carry":
      return t("The task goes on unchanged, under its own id.");
    case "disposition:stay":
      return t("The task is held by the finding and stays as it is, under its own id.");
    case "disposition:replace":
      return t("Other tasks take its place. Needs a phase revision.");
    case "disposition:split":
      return t("The task is divided; the first successor is the primary one. Needs a phase revision.");
    case "disposition:retire":
      return t("The task ends without a successor. Needs a phase revision.");
    case "access_kind:own":
      return t("The todo owns the resource: nobody else may change it.");
    case "access_kind:write":
      return t("The todo writes the resource.");
    case "access_kind:read":
      return t("The todo only reads the resource.");
    case "kind:hard_dependency":
      return t("The second todo starts only after the first was accepted.");
    case "kind:conflict":
      return t("The two todos never run at the same time.");
    case "mode:seam_split":
      return t("The contested code is divided along a seam, so that each todo has its own part.");
    case "mode:intentional_serial":
      return t("The contested work is done by one todo after the other.");
    default:
      return t("Not a word of this field.");
  }
}

function todoText({ id, migration, madeFrom, isInSuccessor, isInPredecessor, isHeld, witness }: Extract<HoverFact, { kind: "todo" }>, t: Translate): string {
  const lines = [
    migration === null ? null : migrationLine(migration, t),
    madeFrom === null || madeFrom.predecessor === id ? null : t("Comes from {0} ({1})", code(madeFrom.predecessor), shown(madeFrom.disposition)),
    isHeld ? t("Held by the finding of the hold decision") : null,
    isInSuccessor ? null : t("No todo of the successor request"),
    isInPredecessor === false ? t("No task of the committed plan") : null,
    ...(witness === null ? [] : witnessLines(witness, t)),
  ].filter((line) => line !== null);
  return paragraphs(t("Todo {0}", code(id)), lines.map((line) => `- ${line}`).join("\n"));
}

function migrationLine({ disposition, successors }: { readonly disposition: string; readonly successors: readonly string[] }, t: Translate): string {
  return successors.length === 0 ? t("{0}, without successor", shown(disposition)) : t("{0} → {1}", shown(disposition), names(successors, t));
}

function witnessLines({ owns, reads, writes, resources }: WitnessFact, t: Translate): readonly string[] {
  return [
    ...(owns.length === 0 ? [] : [t("owns {0}", names(owns, t))]),
    ...(writes.length === 0 ? [] : [t("writes {0}", names(writes, t))]),
    ...(resources.length === 0 ? [] : [t("holds {0}", names(resources, t))]),
    ...(reads === 0 ? [] : [reads === 1 ? t("reads 1 path") : t("reads {0} paths", reads)]),
  ];
}

function names(items: readonly string[], t: Translate): string {
  const shown = items.slice(0, fewNames).map((item) => code(item)).join(", ");
  return items.length <= fewNames ? shown : t("{0} and {1} more", shown, items.length - fewNames);
}
