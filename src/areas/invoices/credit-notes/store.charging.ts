import { and, desc, eq, getTableColumns, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { invoiceSubscriptions } from "../consolidated/table";
import type { InvoiceLineKind } from "../schema";
import { type InvoiceRow, invoiceLines, invoices } from "../table";

/** Charges in advance, which are credited for unused time. */
const inAdvanceKinds: InvoiceLineKind[] = [
	"BaseCharge",
	"AddonCharge",
	"InAdvanceCommitmentCharge",
	"MinimumSpendCharge",
];

/** Far more invoices than one billing period has. */
const chargingInvoicesMax = 200;

interface ChargedTime {
	readonly currency: string;
	readonly subscriptionIds: readonly string[];
	readonly from: number;
	readonly until: number;
}

/**
 * Returns the invoices of these subscriptions (row ids) that charged a time in advance, newest first. Drafts come before issued
 * invoices.
 */
export const invoicesCharging = (work: Work, of: ChargedTime): InvoiceRow[] =>
	[...ownInvoicesCharging(work, of), ...consolidatedInvoicesCharging(work, of)]
		.toSorted(
			(one, other) =>
				Number(other.sequence === 0) - Number(one.sequence === 0) ||
				other.sequence - one.sequence ||
				(one.id < other.id ? 1 : -1),
		)
		.slice(0, chargingInvoicesMax);

const ownInvoicesCharging = (work: Work, of: ChargedTime): InvoiceRow[] =>
	work.tx
		.selectDistinct(getTableColumns(invoices))
		.from(invoices)
		.innerJoin(invoiceLines, eq(invoiceLines.invoiceId, invoices.id))
		.where(
			and(
				eq(invoices.environmentId, work.actor.environmentId),
				inArray(invoices.subscriptionId, [...of.subscriptionIds]),
				chargesTime(of),
			),
		)
		.orderBy(...newestFirst)
		.limit(chargingInvoicesMax)
		.all();

const consolidatedInvoicesCharging = (work: Work, of: ChargedTime): InvoiceRow[] =>
	work.tx
		.selectDistinct(getTableColumns(invoices))
		.from(invoiceSubscriptions)
		.innerJoin(invoices, eq(invoices.id, invoiceSubscriptions.invoiceId))
		.innerJoin(
			invoiceLines,
			and(
				eq(invoiceLines.invoiceId, invoices.id),
				eq(invoiceLines.subscriptionRefId, invoiceSubscriptions.subscriptionRefId),
			),
		)
		.where(
			and(
				inArray(invoiceSubscriptions.subscriptionId, [...of.subscriptionIds]),
				eq(invoiceSubscriptions.environmentId, work.actor.environmentId),
				chargesTime(of),
			),
		)
		.orderBy(...newestFirst)
		.limit(chargingInvoicesMax)
		.all();

const newestFirst = [desc(sql`${invoices.sequence} = 0`), desc(invoices.sequence), desc(invoices.id)];

const chargesTime = ({ currency, from, until }: ChargedTime): SQL | undefined =>
	and(
		eq(invoices.currency, currency),
		ne(invoices.state, "CANCELED"),
		inArray(invoiceLines.kind, inAdvanceKinds),
		// The true-up of a feature charges time that has passed.
		or(ne(invoiceLines.kind, "MinimumSpendCharge"), isNull(invoiceLines.featureRefId)),
		// A credit charges nothing.
		sql`${invoiceLines.amount} NOT LIKE '-%'`,
		sql`${invoiceLines.periodStart} < ${until}`,
		sql`${invoiceLines.periodEnd} > ${from}`,
	);

/** Returns those of some charges that each of some invoices (row ids) charges. */
export function chargeIdsOf(
	work: Work,
	invoiceIds: readonly string[],
	chargeIds: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
	if (invoiceIds.length === 0 || chargeIds.length === 0) return new Map();
	const rows = work.tx
		.select({ invoiceId: invoiceLines.invoiceId, chargeId: invoiceLines.chargeId })
		.from(invoiceLines)
		.where(
			and(
				inArray(invoiceLines.invoiceId, [...invoiceIds]),
				inArray(invoiceLines.chargeId, [...new Set(chargeIds)]),
				sql`${invoiceLines.amount} NOT LIKE '-%'`,
			),
		)
		.all();
	const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
	return new Map([...byInvoice].map(([id, of]) => [id, new Set(of.flatMap(({ chargeId }) => chargeId ?? []))]));
}
