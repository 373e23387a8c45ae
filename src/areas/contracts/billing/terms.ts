import { zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { ContractRow } from "../table";
import type { ScheduleTerms } from "./rules.schedule";
import { meteredBy, quantityIn } from "./usage";

/** A draft's: nothing is known of its usage, and nothing is dated before now. */
export const draftTerms = (work: Work): ScheduleTerms => ({
	notBefore: work.now,
	netTermsOf: () => null,
	usageIn: () => null,
});

/** A live contract's: of a cycle that has begun, its usage so far. */
export const liveTerms = (work: Work, contract: ContractRow): ScheduleTerms => ({
	...draftTerms(work),
	notBefore: contract.publishedAt ?? work.now,
	usageIn: (item, cycle) => ({
		quantity: cycle.start < work.now ? quantityIn(work, meteredBy(work, contract, item), cycle) : zero,
		billed: zero,
	}),
});
