// Owns: showing one page more below a row.
import type { RowCommand } from "./command.js";

export const loadMore: RowCommand = { id: "runState.loadMore", kind: "row", run: ({ view }, rowId) => view.loadMore(rowId) };
