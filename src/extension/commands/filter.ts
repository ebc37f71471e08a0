// Owns: choosing which states the view shows. `runState.changeFilter` is the same command behind the icon of an active filter.
import * as vscode from "vscode";
import { states, type State } from "../tree/treeNode.js";
import { stateIcon, stateWord } from "../tree/words.js";
import type { PlainCommand, Services } from "./command.js";

interface StateItem extends vscode.QuickPickItem {
  readonly state: State;
}

async function chooseFilter({ t, view }: Services): Promise<void> {
  const items = states.map(
    (state): StateItem => ({
      state,
      label: `$(${stateIcon(state).id}) ${stateWord(state, t)}`,
      picked: view.filter === null || view.filter.has(state),
    }),
  );
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder: t("States to show") });
  if (picked === undefined) return;
  // All of them is no filter; none of them would be an empty view that looks like an empty disk.
  const isAll = picked.length === states.length || picked.length === 0;
  view.setFilter(isAll ? null : new Set(picked.map((item) => item.state)));
}

export const filter: PlainCommand = { id: "runState.filter", kind: "plain", run: chooseFilter };
export const changeFilter: PlainCommand = { id: "runState.changeFilter", kind: "plain", run: chooseFilter };
export const clearFilter: PlainCommand = {
  id: "runState.clearFilter",
  kind: "plain",
  run: ({ view }) => view.setFilter(null),
};
