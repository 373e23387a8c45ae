import { zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { findIssuer } from "../../legal-entities/operations";
import type { ContractRow } from "../table";
import type { ScheduleTerms } from "./rules.schedule";
import { meteredBy, usageIn } from "./usage";

/** Returns the default net terms of a legal entity, by its row id. */
export function netTermsOf(work: Work): ScheduleTerms["netTermsOf"] {
	const known = new Map<string, number | null>();
	return (legalEntityId) => {
		let days = known.get(legalEntityId);
		if (days === undefined) {
			days = findIssuer(work, legalEntityId)?.entity.netTerms ?? null;
			known.set(legalEntityId, days);
		}
		return days;
	};
}

/** The terms of a draft: its usage is unknown, and its invoices are dated now or later. */
export const draftTerms = (work: Work): ScheduleTerms => ({
	notBefore: work.now,
	netTermsOf: netTermsOf(work),
	usageIn: () => null,
});

/** The terms of a live contract: started cycles have their usage so far. */
export const liveTerms = (work: Work, contract: ContractRow): ScheduleTerms => ({
	...draftTerms(work),
	notBefore: (contract.amendingSince === null && contract.publishedAt) || work.now,
	usageIn: (item, cycle) =>
		cycle.start < work.now
			? { ...usageIn(work, meteredBy(work, contract, item), cycle), billed: zero }
			: { reported: zero, quantity: zero, unitTransformation: null, billed: zero },
});
