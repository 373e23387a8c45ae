import { and, eq, not, sql } from "drizzle-orm";
import { insertRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { PeriodOfCharge } from "./rules.billed";
import { inEnvironment, isBilled, periodsWithCharges } from "./store";
import { billingCharges, type ChargeCreditRow, type ChargePeriodRow, chargeCredits, chargePeriods } from "./table";

export const insertCredit = (work: Work, credit: ChargeCreditRow): void => {
	insertRow(work, chargeCredits, credit);
};

const reversedOnInvoice = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(and(inEnvironment, not(isBilled), eq(chargePeriods.invoiceId, sql.placeholder("invoiceId"))))
		.prepare();

/** Selects the bills on an invoice that are credited from their start on. */
export const selectReversedOfInvoice = ({ actor, prepared }: Work, invoiceId: string): PeriodOfCharge[] =>
	prepared(reversedOnInvoice).all({ environmentId: actor.environmentId, invoiceId });

/** Selects the credits of an owner, each with its period. */
export const selectCreditedPeriods = (
	{ tx, actor }: Work,
	ownerId: string,
): Array<PeriodOfCharge & { readonly credit: ChargeCreditRow }> =>
	tx
		.select({ credit: chargeCredits, period: chargePeriods, charge: billingCharges })
		.from(chargeCredits)
		.innerJoin(
			chargePeriods,
			and(
				eq(chargePeriods.chargeId, chargeCredits.chargeId),
				eq(chargePeriods.startsAt, chargeCredits.startsAt),
				eq(chargePeriods.revision, chargeCredits.revision),
			),
		)
		.innerJoin(billingCharges, eq(billingCharges.id, chargeCredits.chargeId))
		.where(and(eq(billingCharges.environmentId, actor.environmentId), eq(billingCharges.ownerId, ownerId)))
		.all();

export const selectCredits = ({ tx }: Work, { chargeId, startsAt, revision }: ChargePeriodRow): ChargeCreditRow[] =>
	tx
		.select()
		.from(chargeCredits)
		.where(
			and(
				eq(chargeCredits.chargeId, chargeId),
				eq(chargeCredits.startsAt, startsAt),
				eq(chargeCredits.revision, revision),
			),
		)
		.all();
