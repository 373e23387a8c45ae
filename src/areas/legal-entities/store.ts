import { asc, eq } from "drizzle-orm";
import { insertRows } from "../../kernel/rows";
import type { Work } from "../../kernel/work";
import { type LegalEntityRow, legalEntities, type PaymentAccountRow, paymentAccounts } from "./table";

/** Our choice: how many issuers and accounts are read at once. Only the default ones are made so far. */
const entitiesMax = 100;

export const selectLegalEntities = (work: Work): LegalEntityRow[] =>
	work.tx
		.select()
		.from(legalEntities)
		.where(eq(legalEntities.environmentId, work.actor.environmentId))
		.orderBy(asc(legalEntities.id))
		.limit(entitiesMax)
		.all();

export const selectPaymentAccounts = (work: Work): PaymentAccountRow[] =>
	work.tx
		.select()
		.from(paymentAccounts)
		.where(eq(paymentAccounts.environmentId, work.actor.environmentId))
		.orderBy(asc(paymentAccounts.id))
		.limit(entitiesMax)
		.all();

/** The environment's first issuer, with its one payment account. */
export function insertDefaultLegalEntity(work: Work, name: string, accountName: string): void {
	const legalEntityId = work.newId();
	const { environmentId } = work.actor;
	const made = { environmentId, isDefault: true, createdAt: work.now };
	insertRows(work, legalEntities, [{ ...made, id: legalEntityId, name }]);
	insertRows(work, paymentAccounts, [{ ...made, id: work.newId(), legalEntityId, name: accountName }]);
}
