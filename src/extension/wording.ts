import type { Translate } from "./text.js";
import type { Verdict } from "../core/claims/verdict.js";
import type { ScanProblem } from "../core/scan/snapshot.js";
export function problemText(problem: ScanProblem, _t: Translate): string {
  return problem.detail === null ? problem.code : `${problem.code} (${problem.detail})`;
}
export const problemSentence = problemText;
export const cautionSentence = (code: string, _t: Translate): string | null => code;
export const codeSentence = (code: string, _t: Translate): string => code;
export const checkName = codeSentence;
export const factName = codeSentence;
export const outcomeWord = codeSentence;
export const proofWord = codeSentence;
export const verdictSentence = (verdict: Verdict, _t: Translate): string => ("reason" in verdict ? verdict.reason : verdict.kind);
