import type { Work } from "../../../kernel/work";
import { selectRefundsAfter } from "./store";
import type { ProviderRefundRow } from "./table";

const pageRows = 500;

/** Returns the next refunds of this environment after an id, in the order of ids. */
export const readRefunds = (work: Work, after: string): ProviderRefundRow[] =>
	selectRefundsAfter(work, after, pageRows);
