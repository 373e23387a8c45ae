import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { saveCycleAnchor } from "./store";
import type { CustomerRow } from "./table";

/** Keeps the instant from which the billing periods of a customer count where it has no anchor. */
export const keepCycleAnchor = (work: Work, customer: CustomerRow, at: Instant): void =>
	saveCycleAnchor(work, customer, at);
