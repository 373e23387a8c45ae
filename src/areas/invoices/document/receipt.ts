import { type Big, exact, sum, toDecimal } from "../../../kernel/decimal";
import { leftOf } from "../payments/rules";
import { receiptNumber } from "../rules";
import type { InvoiceIssuer, InvoiceParty } from "../schema.party";
import type { AllocationRow, ReceiptRefundRow, ReceiptRow } from "../table.receipts";
import type { PrintedDocument } from "./document";
import { filled } from "./labels";
import type { Labels } from "./labels.en";
import type { DocumentLine } from "./lines";
import { issuerBlock, type Logo, partyBlock } from "./parties";
import type { Total } from "./sums";
import { writingFor } from "./writing";

/** A receipt with the rows around it, as its document shows them. */
export interface PrintedReceipt {
	readonly receipt: ReceiptRow;
	readonly revision: number;
	readonly issuer: InvoiceIssuer;
	readonly customer: InvoiceParty;
	readonly allocations: readonly AllocationRow[];
	/** The refunds and returns of its money. */
	readonly refunds: readonly ReceiptRefundRow[];
	/** The receipts whose money a refund or a return moved out, with their numbers. */
	readonly parts: ReadonlyArray<Pick<ReceiptRefundRow, "amount"> & { readonly number: string }>;
	/** Returns the number of an invoice by its row id. */
	readonly numberOf: (invoiceId: string) => string;
}

/** The labels of each kind of receipt. */
const kinds = {
	PAYMENT: {
		...{ title: "receipt", customer: "receivedFrom", date: "receivedOn" },
		...{ headline: "headlineReceived", total: "amountReceived" },
	},
	REFUND: {
		...{ title: "refund", customer: "refundedTo", date: "refundedOn" },
		...{ headline: "headlineRefunded", total: "amountRefunded" },
	},
	RETURN: {
		...{ title: "withdrawal", customer: "orderedBy", date: "withdrawnOn" },
		...{ headline: "headlineWithdrawn", total: "amountWithdrawn" },
	},
} as const satisfies Record<ReceiptRow["kind"], Record<string, keyof Labels>>;

/** Builds the printed receipt: the invoices that money pays, or the receipts that a refund comes from. */
export function receiptDocumentOf(printed: PrintedReceipt, logo: Logo | null = null): PrintedDocument {
	const { receipt, issuer, customer } = printed;
	const { amount: total, currency, method, reference } = receipt;
	const writing = writingFor(printed);
	const { labels, language, formats } = writing;
	const kind = kinds[receipt.kind];
	const amount = formats.moneyAlone(total, currency);
	const date = formats.date(receipt.receivedAt);
	const number = receiptNumber(receipt);
	const totals: Total[] = [{ label: labels[kind.total], value: amount, weight: "final" }];
	const linesOf = receipt.kind === "PAYMENT" ? receivedParts : movedParts;
	return {
		id: receipt.id,
		title: labels[kind.title],
		number,
		revision: printed.revision,
		changedAt: receipt.createdAt,
		language,
		labels,
		logo,
		issuer: issuerBlock(issuer, writing),
		customerLabel: labels[kind.customer],
		customer: partyBlock(customer, writing),
		facts: [
			{ label: labels.receiptNumber, value: number },
			{ label: labels[kind.date], value: date },
			{ label: labels.paymentMethod, value: labels[method] },
			...(reference === null ? [] : [{ label: labels.creditorReference, value: reference }]),
		],
		headline: filled(labels[kind.headline], { amount, date }),
		badge: null,
		columns: { unit: false, discount: false, taxRate: false, amountOnly: true },
		lines: linesOf(printed, labels).map(([description, part]) =>
			lineOf(description, part, formats.money(toDecimal(part), currency)),
		),
		carried: (sum) => formats.money(sum.toFixed(), currency),
		taxes: [],
		totals,
		remarks: [],
		payment: [],
		notes: null,
		footer: issuer.footer ?? null,
	};
}

type Part = readonly [description: string, amount: Big];

const lineOf = (description: string, netAmount: Big, net: string): DocumentLine => ({
	...{ description, net, netAmount, period: null, parts: [] },
	...{ quantity: "", unit: "", unitPrice: "", discount: "", taxRate: "" },
});

/** Returns the uses of received money: each invoice, the balance, the rest, and the part that went back before it was allocated. */
function receivedParts(
	{ receipt, allocations, refunds, numberOf }: Pick<PrintedReceipt, "receipt" | "allocations" | "refunds" | "numberOf">,
	labels: Labels,
): Part[] {
	const paid = new Map<string, Big>();
	const added: Big[] = [];
	for (const allocation of allocations) {
		if (allocation.kind !== "PAYMENT") continue;
		const { invoiceId, balancePart } = allocation;
		const left = leftOf(allocation, allocations);
		const overpaid = left.lt(exact(balancePart)) ? left : exact(balancePart);
		added.push(overpaid);
		if (invoiceId !== null) paid.set(invoiceId, (paid.get(invoiceId) ?? exact(0)).plus(left.minus(overpaid)));
	}
	const parts: Part[] = [
		...[...paid].map(([id, part]): Part => [filled(labels.paidInvoice, { number: numberOf(id) }), part]),
		[labels.toBalance, sum(added)],
		[labels.notAllocated, exact(receipt.unallocated)],
		[labels.refundedOrWithdrawn, sum(refunds.map(({ unallocatedPart }) => exact(unallocatedPart)))],
	];
	return parts.filter(([, part]) => part.gt(0));
}

/** Returns the receipts whose money a refund or a return moved out. */
const movedParts = ({ parts }: Pick<PrintedReceipt, "parts">, labels: Labels): Part[] =>
	parts.map(({ number, amount }) => [filled(labels.movedReceipt, { number }), exact(amount)]);
