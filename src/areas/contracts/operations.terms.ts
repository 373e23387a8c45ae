import { instantOf, toIso } from "../../kernel/clock";
import { fail, rejectBilling } from "../../kernel/errors";
import { startOfDay } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { payUntil } from "../billing/operations";
import { chooseIssuer, choosePaymentAccount } from "../legal-entities/operations";
import { openItems } from "./billing/amendments/reissue";
import { assertTermsFree } from "./billing/amendments/rules";
import { paidUntil } from "./billing/rules.cycles";
import { isPayAsYouGo } from "./billing/rules.schedule";
import { getContract } from "./operations";
import { type BilledContract, summed } from "./operations.billing";
import { assertSchedulable, readWindow, type Window } from "./rules";
import { nextPhase } from "./rules.states";
import type { BillingSettings, BillingTerms } from "./schema";
import { changeContract } from "./store";
import { type BilledItemRow, changeItem, selectItems } from "./store.billing";
import type { ContractItemRow, ContractRow } from "./table";

/**
 * Overwrites these terms on every line, and the dates of the contract. Dates keep their UTC day
 * (docs/interface/contracts.md). ContractNotFound, NO_LINE_ITEMS, TOO_MANY_CYCLES, and the codes of a contract that is
 * not open for change.
 */
export function changeTerms(work: Work, refId: string, input: BillingTerms): BilledContract {
	const { contract, items } = changeableItems(work, refId, input);
	const dates = wholeDays(input);
	const { currency, netTerms } = input;
	const datesOf = datesFor(work, contract, items, dates);
	for (const item of items) {
		const own = datesOf(item);
		const window = readWindow(own, item);
		assertTermsFree(item, { ...window, currency: currency ?? item.currency });
		changeItem(work, item, {
			...window,
			...(currency !== undefined && { currency }),
			...(netTerms !== undefined && { netTerms }),
			// All items begin together now; cycles of invoiced items keep their dates.
			...(own.activationStartDate !== undefined && item.billedUntil === null && { cyclesFrom: null }),
		});
		// While an amendment is open, its publication does the same (amendments/reissue.ts).
		if (contract.amendingSince === null && isLater(window, item) && !isPayAsYouGo(item))
			keepPaidTime(work, contract, item);
	}
	changeContract(work, contract, readWindow(dates, contract));
	assertSchedulable(refId, selectItems(work, contract));
	return summed(work, getContract(work, refId));
}

/**
 * Overwrites the issuer, its payment account and the note on every line (docs/interface/contracts.md).
 * ContractNotFound, NO_LINE_ITEMS, LEGAL_ENTITY_NOT_FOUND, PAYMENT_ACCOUNT_NOT_FOUND, and the codes of a contract that
 * is not open for change.
 */
export function changeSettings(work: Work, refId: string, input: BillingSettings): BilledContract {
	const { contract, items } = changeableItems(work, refId, input);
	const { legalEntityId, paymentAccountId, note } = input;
	if (legalEntityId !== undefined || paymentAccountId !== undefined)
		for (const item of items) {
			const issuer = chooseIssuer(work, legalEntityId ?? item.legalEntityId);
			changeItem(work, item, {
				legalEntityId: issuer.entity.id,
				paymentAccountId: choosePaymentAccount(issuer, paymentAccountId).id,
			});
		}
	if (note !== undefined) changeContract(work, contract, { note });
	return summed(work, getContract(work, refId));
}

/** A last cycle that was charged in full is paid to its own end, where a later window continues. */
function keepPaidTime(work: Work, { id }: ContractRow, item: BilledItemRow): void {
	const paid = paidUntil(item);
	if (paid !== null && paid !== item.billedUntil) payUntil(work, id, item.id, paid);
}

function changeableItems(
	work: Work,
	refId: string,
	input: BillingTerms | BillingSettings,
): { contract: ContractRow; items: BilledItemRow[] } {
	if (Object.keys(input).length === 0) throw fail("BadUserInput", "body: give at least one field to change.");
	const contract = getContract(work, refId);
	nextPhase(contract, "changeItems");
	const items = openItems(work, contract);
	if (items.length === 0)
		throw rejectBilling("NO_LINE_ITEMS", `The contract '${refId}' has no line items; add one before its terms.`);
	return { contract, items };
}

/**
 * In an amendment another end applies to lines that run to the end of the term. Lines that end earlier, as those of a
 * former term, keep an earlier end. Ended and removed lines keep their dates.
 */
function datesFor(work: Work, { amendingSince }: ContractRow, items: readonly ContractItemRow[], dates: Dates) {
	const ends = items.flatMap(({ takenOutAt, activationEndAt }) => (takenOutAt === null ? (activationEndAt ?? []) : []));
	const termEnd = Math.max(...ends);
	return ({ takenOutAt, activationEndAt: end }: ContractItemRow): Dates => {
		if (amendingSince === null || end === null || (end === termEnd && takenOutAt === null)) return dates;
		if (takenOutAt !== null || end <= work.now) return {};
		const { activationEndDate, ...start } = dates;
		const isEarlier = activationEndDate !== undefined && instantOf(activationEndDate) < end;
		return isEarlier ? dates : start;
	};
}

const isLater = ({ activationEndAt: end }: Window, { activationEndAt: before }: Window): boolean =>
	end !== null && before !== null && end > before;

type Dates = Pick<BillingTerms, "activationStartDate" | "activationEndDate">;

function wholeDays({ activationStartDate: start, activationEndDate: end }: Dates): Dates {
	const day = (date: string): string => toIso(startOfDay(instantOf(date)));
	return {
		...(start !== undefined && { activationStartDate: day(start) }),
		...(end !== undefined && { activationEndDate: day(end) }),
	};
}
