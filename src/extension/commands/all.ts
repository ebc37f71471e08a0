// Owns: the list of all commands. A test compares it with contract.ts and package.json.
// Leaves to others: each command (its file).
import { removeByteOrderMark } from "../requests/byteOrderMark.js";
import { chooseRequestRun } from "../requests/chooseRun.js";
import { newRecompileRequest } from "../requests/newRecompileRequest.js";
import { showRule } from "../requests/rulePages.js";
import { copySupportBundle } from "../run/copySupportBundle.js";
import { diffRequests } from "../run/diffRequests.js";
import { openRecord } from "../run/openRecord.js";
import { showRunStatus } from "../run/showRunStatus.js";
import { verifyRun } from "../run/verifyRun.js";
import type { Command } from "./command.js";
import { copyEvidence, copyId, copyPath } from "./copy.js";
import { changeFilter, clearFilter, filter } from "./filter.js";
import { forceQuarantine } from "./forceQuarantine.js";
import { openWalkthrough, showLog } from "./help.js";
import { loadMore } from "./loadMore.js";
import { openFile, revealInExplorer, revealInOs } from "./open.js";
import { purge } from "./purge.js";
import { recoverStaleLock } from "./recoverStaleLock.js";
import { refresh } from "./refresh.js";
import { reportIssue } from "./reportIssue.js";
import { restore } from "./restore.js";
import { settleRepair } from "./settleRepair.js";
import { showEvidence } from "./showEvidence.js";

export const commands: readonly Command[] = [
  refresh,
  filter,
  changeFilter,
  clearFilter,
  loadMore,
  showEvidence,
  showRunStatus,
  openRecord,
  verifyRun,
  copySupportBundle,
  diffRequests,
  recoverStaleLock,
  forceQuarantine,
  restore,
  purge,
  settleRepair,
  copyId,
  copyPath,
  copyEvidence,
  openFile,
  revealInExplorer,
  revealInOs,
  openWalkthrough,
  showLog,
  reportIssue,
  newRecompileRequest,
  chooseRequestRun,
  removeByteOrderMark,
  showRule,
];
