import type { Transactions } from "../../kernel/work";
import type { Resolve } from "./operations";
import { ResolvedCache } from "./resolved-cache";

/** How customers' entitlements are found by who decides many times a second: remembered until the main file changes. */
export const rememberedEntitlements = (transactions: Transactions): Resolve => new ResolvedCache(transactions).resolve;
