// Owns: media/l10n/bundle.l10n.json, written from the sources: every text of the shell under itself, for translators to copy.
// Run it after a text changed: node --import tsx test/tools/writeTexts.ts
import fs from "node:fs";
import { bundleFile, translatedTexts } from "../extension/translatedTexts.js";

const texts = [...translatedTexts().texts].sort();
fs.writeFileSync(bundleFile, `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2)}\n`);
