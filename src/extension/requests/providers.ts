// Owns: hover, definition, outline and completion of requests, as VS Code asks for them.
// Leaves to others: the answers (worker), their words (hoverText.ts). A document that is no request costs one look into a map.
import * as vscode from "vscode";
import type { Translate } from "../../shared/text.js";
import { describeError, type Log } from "../log.js";
import { locationOf, rangeOf } from "./diagnostics.js";
import { sourceOf } from "./documentText.js";
import { hoverText } from "./hoverText.js";
import type { CompletionFact, FilePlace, OperationName, Operations, SymbolFact, SymbolKindFact } from "./protocol.js";
import type { RequestDocuments } from "./requestDocuments.js";
import { requestSelector } from "./requestFiles.js";
import type { WorkerClient } from "./workerClient.js";

export interface ProviderOptions {
  readonly client: WorkerClient;
  readonly documents: RequestDocuments;
  readonly t: Translate;
  readonly log: Log;
}

/** Asks about a document as it is now. Null for one that is no request, that changes under the question, or when asking fails. */
export async function askAbout<Name extends OperationName>(
  { client, documents, log }: Pick<ProviderOptions, "client" | "documents" | "log">,
  document: vscode.TextDocument,
  name: Name,
  input: Operations[Name]["input"],
): Promise<Operations[Name]["output"] | null> {
  if (documents.stateOf(document) === undefined) return null;
  try {
    if (!(await client.sync(sourceOf(document)))) return null;
    const { version } = document;
    const output = await client.ask(name, input);
    return document.version === version ? output : null;
  } catch (error) {
    // A provider that throws shows nothing either; the next question starts another worker.
    log.warn(`${name} of ${document.uri.toString()} failed: ${describeError(error)}`);
    return null;
  }
}

export function registerProviders(options: ProviderOptions): vscode.Disposable {
  const at = (document: vscode.TextDocument, position: vscode.Position): { readonly uri: string; readonly offset: number } => ({ uri: document.uri.toString(), offset: document.offsetAt(position) });
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerHoverProvider(requestSelector, {
      provideHover: async (document, position) => {
        const fact = await askAbout(options, document, "hover", at(document, position));
        return fact === null ? null : new vscode.Hover(new vscode.MarkdownString(hoverText(fact, options.t, link)), rangeOf(fact.range, document));
      },
    }),
    languages.registerDefinitionProvider(requestSelector, {
      provideDefinition: async (document, position): Promise<vscode.LocationLink[]> => {
        const facts = await askAbout(options, document, "definition", at(document, position));
        return (facts ?? []).map((fact) => {
          const target = fact.kind === "document" ? new vscode.Location(document.uri, rangeOf(fact.range, document)) : locationOf(fact);
          return { originSelectionRange: rangeOf(fact.origin, document), targetUri: target.uri, targetRange: target.range, targetSelectionRange: target.range };
        });
      },
    }),
    languages.registerDocumentSymbolProvider(
      requestSelector,
      {
        provideDocumentSymbols: async (document) => ((await askAbout(options, document, "symbols", { uri: document.uri.toString() })) ?? []).map((fact) => symbolOf(fact, document)),
      },
      { label: "Run State" },
    ),
    languages.registerCompletionItemProvider(
      requestSelector,
      {
        provideCompletionItems: async (document, position) => {
          const facts = await askAbout(options, document, "complete", { ...at(document, position), hasSchema: hasSchema(document) });
          return (facts ?? []).map((fact, index) => completionOf(fact, index, document, options.t));
        },
      },
      '"',
    ),
  );
}

/** File names that package.json connects with the JSON schema. */
function hasSchema(document: vscode.TextDocument): boolean {
  return document.uri.path.endsWith(".recompile-request.json");
}

function link(text: string, { file, place }: FilePlace): string {
  const uri = vscode.Uri.file(file).with(place === null ? {} : { fragment: `L${place.start.line + 1},${place.start.character + 1}` });
  // Markdown ends an address at a parenthesis or a blank; the encoded form has neither.
  return `[${text.replaceAll(/[\\[\]]/g, "\\$&")}](${uri.toString().replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

const symbolKinds: Readonly<Record<SymbolKindFact, vscode.SymbolKind>> = {
  request: vscode.SymbolKind.Package,
  successor: vscode.SymbolKind.Module,
  todo: vscode.SymbolKind.Field,
  migration: vscode.SymbolKind.Module,
  entry: vscode.SymbolKind.Event,
  treatment: vscode.SymbolKind.Module,
  change: vscode.SymbolKind.Field,
  revision: vscode.SymbolKind.Module,
};

function symbolOf({ kind, name, detail, range, selection, children }: SymbolFact, document: vscode.TextDocument): vscode.DocumentSymbol {
  const symbol = new vscode.DocumentSymbol(name, detail, symbolKinds[kind], rangeOf(range, document), rangeOf(selection, document));
  symbol.children = children.map((child) => symbolOf(child, document));
  return symbol;
}

const completionKinds: Readonly<Record<CompletionFact["kind"], vscode.CompletionItemKind>> = {
  todo: vscode.CompletionItemKind.Reference,
  word: vscode.CompletionItemKind.EnumMember,
  digest: vscode.CompletionItemKind.Constant,
  value: vscode.CompletionItemKind.Value,
};

function completionOf({ kind, insert, label, detail, replace, isPreferred }: CompletionFact, index: number, document: vscode.TextDocument, t: Translate): vscode.CompletionItem {
  const item = new vscode.CompletionItem(label, completionKinds[kind]);
  item.insertText = insert;
  item.filterText = insert;
  item.range = rangeOf(replace, document);
  item.sortText = `${isPreferred ? "0" : "1"}${String(index).padStart(5, "0")}`;
  item.preselect = isPreferred;
  if (detail !== null) item.detail = kind === "todo" ? t("held") : detail;
  else if (kind === "digest") item.detail = t("as the content is now");
  return item;
}
