import type { Instant } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { billedPeriodsOf } from "../../billing/operations";
import { spanOf } from "../../billing/rules.billed";
import { invoicesByIds } from "../../invoices/operations";
import { splitParts } from "../../invoices/rules.taxes";
import type { AgreedInvoice, AgreedLine, AgreedPrice, Agreement } from "../../invoices/schema.agreement";
import type { Issuer } from "../../legal-entities/operations";
import { wholePeriod } from "../../pricing/proration";
import { sumTotals, type Totals } from "../../pricing/totals";
import { cyclesOf, type RatedItem } from "../billing/rules.cycles";
import { hasRows, isPayAsYouGo, itemTotals, lineOf, type PlannedInvoice, scheduleOf } from "../billing/rules.schedule";
import { draftTerms, liveTerms, netTermsOf } from "../billing/terms";
import { pricingModel } from "../rules.models";
import { type BillingPhase, billingPhase } from "../rules.states";
import type { BilledItemRow } from "../store.billing";
import type { ContractItemRow, ContractRow } from "../table";

/** Five years of monthly invoices are listed one by one; further ones are one row. */
const invoicesShownMax = 60;

/** The data of an order form. */
export interface AgreementBasis {
	/** The items as publishing would find them. */
	readonly items: ReadonlyArray<BilledItemRow & RatedItem>;
	readonly issuer: Issuer;
	readonly customer: Agreement["customer"];
	/** The date of a draft; null after the publication. */
	readonly today: Instant | null;
}

const nothing: Totals = { subTotal: zero, discount: zero, tax: zero, total: zero };

/** Builds the current agreement of a contract. Pay-as-you-go items have prices, but no amounts. */
export function agreementFrom(
	work: Work,
	contract: ContractRow,
	{ items, issuer, customer, today, ...printed }: AgreementBasis & Pick<Agreement, "id" | "environmentId" | "revision">,
): Agreement {
	const fixed = items.filter((item) => !isPayAsYouGo(item));
	const invoices = invoicesOf(work, contract, fixed.filter(hasRows));
	const shown = invoices.length > invoicesShownMax ? invoices.slice(0, invoicesShownMax - 1) : invoices;
	const rest = invoices.slice(shown.length);
	const phase = billingPhase(contract);
	return {
		...printed,
		changedAt: Math.max(contract.updatedAt, today ?? 0, ...items.map(({ updatedAt }) => updatedAt)) as Instant,
		number: contract.refId,
		name: contract.name,
		poNumber: contract.poNumber,
		status: statusOf[phase],
		date: today ?? contract.publishedAt ?? work.now,
		issuer,
		customer,
		currency: items[0]?.currency ?? "",
		term: termOf(items),
		netTerms: netTermsAgreed(work, items),
		lines: items.map(agreedLine),
		totals: sumTotals(fixed.map(itemTotals)),
		invoices: shown,
		further:
			rest.length === 0 ? null : { ...sumTotals(rest), count: rest.length, until: rest.at(-1)?.issueAt ?? work.now },
		renewal: contract.renewal,
		note: contract.note,
	};
}

const statusOf: Readonly<Record<BillingPhase, Agreement["status"]>> = {
	NONE: "DRAFT",
	DRAFT: "DRAFT",
	ACTIVE: "IN_FORCE",
	AMENDING: "AMENDMENT",
	CANCELED: "CANCELED",
	END_BILLING: "ENDED",
};

/** Returns the span from the first start to the last end; open if one of them is open. */
function termOf(items: readonly ContractItemRow[]): Agreement["term"] {
	const starts = items.flatMap(({ activationStartAt }) => activationStartAt ?? []);
	const ends = items.flatMap(({ activationEndAt }) => activationEndAt ?? []);
	return {
		start: starts.length === 0 ? null : (Math.min(...starts) as Instant),
		end: ends.length < items.length ? null : (Math.max(...ends) as Instant),
	};
}

function netTermsAgreed(work: Work, items: readonly ContractItemRow[]): number | null {
	const usual = netTermsOf(work);
	const [days, ...others] = new Set(items.map(({ netTerms, legalEntityId }) => netTerms ?? usual(legalEntityId) ?? 0));
	return days === undefined || others.length > 0 ? null : days;
}

function agreedLine(item: RatedItem): AgreedLine {
	const {
		name,
		billingCycleUnit,
		billingCycleCount,
		paymentTime,
		activationStartAt,
		activationEndAt,
		tax,
		taxes,
		rows,
	} = item;
	const isAsUsed = isPayAsYouGo(item);
	const { rowModel } = pricingModel(item.pricingModelId);
	const [row] = rows;
	const isOnePrice = rowModel === "flat" && rows.length === 1;
	const one = lineOf(item, { start: 0 as Instant, end: 0 as Instant, share: wholePeriod }, null);
	return {
		...(isAsUsed ? nothing : itemTotals(item)),
		description: name,
		cadence: { unit: billingCycleUnit, count: billingCycleCount },
		paymentTime,
		window: { start: activationStartAt, end: activationEndAt },
		isAsUsed,
		quantity: isAsUsed ? null : one.quantity,
		unitPrice: isOnePrice && row ? (row.price ?? zero) : null,
		taxPercentage: tax,
		taxes:
			taxes && taxes.length > 0 ? splitParts(one.taxes ?? [], exact(itemTotals(item).tax), item.currency)[0] : null,
		repeated: isAsUsed ? null : repeatedOf(item, one),
		prices: isOnePrice ? [] : rows.map((each) => priceOf(rowModel, each)),
	};
}

/** Set if all cycles of the item cost the same. */
function repeatedOf(item: RatedItem, one: Totals): AgreedLine["repeated"] {
	const count = cyclesOf(item);
	const net = exact(one.subTotal).minus(exact(one.discount));
	const { subTotal, discount } = itemTotals(item);
	const isEven =
		exact(one.subTotal).times(count).eq(exact(subTotal)) && exact(one.discount).times(count).eq(exact(discount));
	return isEven ? { count, net: toDecimal(net) } : null;
}

const priceKinds = {
	flat: "UNIT",
	package: "PACKAGE",
	tiered: "TIER",
	volume: "ALL_UNITS",
	stairstep: "FLAT",
} as const satisfies Record<ReturnType<typeof pricingModel>["rowModel"], AgreedPrice["kind"]>;

function priceOf(
	rowModel: keyof typeof priceKinds,
	{ from, to, packageSize, quantity, price }: ContractItemRow["rows"][number],
): AgreedPrice {
	const hasOwnQuantity = rowModel === "flat" || rowModel === "package";
	return {
		kind: priceKinds[rowModel],
		from,
		to,
		size: packageSize,
		quantity: hasOwnQuantity ? quantity : null,
		price: price ?? zero,
	};
}

/** Returns the issued and future invoices in order of their dates; a canceled contract has no future ones. */
function invoicesOf(work: Work, contract: ContractRow, items: readonly BilledItemRow[]): AgreedInvoice[] {
	const phase = billingPhase(contract);
	const terms = phase === "DRAFT" ? draftTerms(work) : liveTerms(work, contract);
	const planned = phase === "CANCELED" ? [] : scheduleOf(items, terms).map(plannedInvoice);
	return [...issuedInvoices(work, contract, items), ...planned].sort((one, other) => one.issueAt - other.issueAt);
}

const plannedInvoice = ({
	issueAt,
	payableAt,
	period,
	subTotal,
	discount,
	tax,
	total,
}: PlannedInvoice): AgreedInvoice => ({
	...{ number: null, issueAt, dueAt: payableAt, period },
	...{ subTotal, discount, tax, total },
});

/** Returns the invoiced parts of items by invoice, without cycles that an open amendment reverses. */
function issuedInvoices(work: Work, contract: ContractRow, items: readonly BilledItemRow[]): AgreedInvoice[] {
	const billedUntil = new Map(items.map((item) => [item.id, item.billedUntil]));
	const cycles = billedPeriodsOf(work, contract).filter(({ charge, end }) => end <= (billedUntil.get(charge.key) ?? 0));
	const byInvoice = Map.groupBy(cycles, ({ invoiceId }) => invoiceId ?? "");
	const invoices = invoicesByIds(work, [...byInvoice.keys()]);
	return [...byInvoice].flatMap(([id, together]) => {
		const invoice = invoices.get(id);
		if (!invoice) return [];
		const { number, issuedAt, dueAt } = invoice;
		return {
			number,
			issueAt: issuedAt,
			dueAt,
			period: spanOf(together),
			...sumTotals(together.map(({ rated }) => rated)),
		};
	});
}
