import type { Instant } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { assert, fail, rejectBilling } from "../../kernel/errors";
import { startOfDay } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { defaultCurrencyOf } from "../access/operations";
import { getCustomerById } from "../customers/operations";
import { findFeature } from "../features/operations";
import {
	chooseIssuer,
	choosePaymentAccount,
	ensureDefaultLegalEntity,
	type Issuer,
	issuerOf,
} from "../legal-entities/operations";
import { itemsToPublish, openItems, runningCycles } from "./billing/amendments/reissue";
import { assertStillInvoiced, endOfRemoved, windowOfAdded } from "./billing/amendments/rules";
import { findAmendment } from "./billing/amendments/store";
import { getContract, pricedCurrencyOf } from "./operations";
import {
	assertBilled,
	assertRepresentable,
	assertSameCurrency,
	assertSchedulable,
	itemsMax,
	paymentTimeOf,
	readWindow,
	type Window,
} from "./rules";
import { defaultPricingModelId, type PricingModel, pricingModel } from "./rules.models";
import { readRows, withoutRow } from "./rules.rows";
import { nextPhase } from "./rules.states";
import { type TermTotals, termTotals } from "./rules.totals";
import type { ItemInput, ItemRow, ItemsAdd } from "./schema";
import { type BilledItemRow, changeItem, insertItem, type NewItem, removeItem, selectItems } from "./store.billing";
import type { ContractItemRow, ContractRow } from "./table";

/** A contract and its totals after the call. */
export interface BilledContract {
	readonly contract: ContractRow;
	readonly totals: TermTotals;
}

/** Returns the totals in any state of the billing half (docs/interface/contracts.md). */
export function getBillingSummary(work: Work, refId: string): BilledContract {
	const contract = getContract(work, refId);
	assertBilled(contract);
	return summed(work, contract);
}

/** The current line items of a contract; while an amendment is open, as amended. */
export interface ItemsOfContract {
	readonly contract: ContractRow;
	readonly currency: string;
	readonly items: readonly ContractItemRow[];
}

/** Returns the items in the order in which they were added. ContractNotFound, BILLING_NOT_SET_UP. */
export function getItems(work: Work, refId: string): ItemsOfContract {
	const contract = getContract(work, refId);
	assertBilled(contract);
	const items = selectItems(work, contract);
	return { contract, currency: items[0]?.currency ?? currencyOf(work, contract), items };
}

/**
 * Appends all lines or none. The same call twice adds two of each (docs/interface/contracts.md). An `externalId`
 * identifies one line, so a second line with it is DuplicatedEntityNotAllowed.
 */
export function addItems(work: Work, refId: string, input: ItemsAdd): BilledContract {
	const contract = getContract(work, refId);
	nextPhase(contract, "changeItems");
	const lines = selectItems(work, contract);
	if (lines.length + input.items.length > itemsMax)
		throw rejectBilling("TOO_MANY_LINE_ITEMS", `A contract has at most ${itemsMax} line items.`);
	const currency = input.currency ?? lines[0]?.currency ?? currencyOf(work, contract);
	assertSameCurrency(currency, lines);
	const window = readWindow(input, commonWindow(work, contract, lines));
	const isAdded = contract.amendingSince !== null && input.activationStartDate === undefined;
	const usual = isAdded ? windowOfAdded(window, startOfDay(work.now)) : window;
	const issuer =
		input.legalEntityId === undefined
			? issuerOf(work, getCustomerById(work, contract.customerId).legalEntityId)
			: chooseIssuer(work, input.legalEntityId);
	const taken = new Set(lines.flatMap(({ id, externalId }) => [id, externalId]));
	for (const item of input.items) {
		if (item.externalId && taken.has(item.externalId))
			throw fail(
				"DuplicatedEntityNotAllowed",
				`The contract '${refId}' has a line item '${item.externalId}' already; choose another 'externalId'.`,
			);
		const { id, externalId } = insertItem(
			work,
			contract,
			newItem(work, item, currency, { common: window, own: usual }, issuer),
		);
		taken.add(id).add(externalId);
	}
	assertSchedulable(refId, selectItems(work, contract));
	return summed(work, contract);
}

/** Replaces all rows of a line. */
export function replaceItemRows(work: Work, refId: string, itemRef: string, rows: readonly ItemRow[]): BilledContract {
	const { contract, item } = draftItem(work, refId, itemRef);
	assertRowsCount(work, contract, item);
	changeItem(work, item, { rows: readRows(pricingModel(item.pricingModelId), rows) });
	return summed(work, contract);
}

/** In an amendment an invoiced line ends instead, as far as possible; its `externalId` becomes free. */
export function deleteItem(work: Work, refId: string, itemRef: string): BilledContract {
	const { contract, item } = draftItem(work, refId, itemRef);
	const end = findAmendment(work, contract)?.items.some(({ id }) => id === item.id)
		? endOf(work, contract, item)
		: null;
	if (end === null) removeItem(work, item);
	else changeItem(work, item, { activationEndAt: end, externalId: null, takenOutAt: work.now });
	return summed(work, contract);
}

function endOf(work: Work, contract: ContractRow, item: BilledItemRow): Instant | null {
	const isReversed = findAmendment(work, contract)?.includesCurrentInvoice === true;
	const running = isReversed ? runningCycles(work, contract, [item]).get(item.id) : undefined;
	return endOfRemoved(item, work.now, running?.period.startsAt ?? null);
}

/**
 * Changed rows of a line in force apply to its cycles that are not invoiced yet. Without such cycles the change is
 * rejected.
 */
function assertRowsCount(work: Work, contract: ContractRow, item: BilledItemRow): void {
	const amendment = findAmendment(work, contract);
	if (amendment?.items.some(({ id }) => id === item.id)) assertStillInvoiced(item, work.now, amendment);
}

/**
 * Removes one row by its position. Later rows move up; without the last row the line costs nothing
 * (docs/interface/contracts.md).
 */
export function deleteItemRow(work: Work, refId: string, itemRef: string, rowIndex: number): BilledContract {
	const { contract, item } = draftItem(work, refId, itemRef, rowIndex);
	assertRowsCount(work, contract, item);
	changeItem(work, item, { rows: withoutRow(item.rows, rowIndex) });
	return summed(work, contract);
}

/**
 * ContractNotFound first; then the codes of the billing half, existence before state (docs/interface/http.md). The
 * catalogue has no code for an unknown line or row, so these are errors of the billing half with a reason.
 */
function draftItem(
	work: Work,
	refId: string,
	itemRef: string,
	rowIndex?: number,
): { contract: ContractRow; item: BilledItemRow } {
	const contract = getContract(work, refId);
	assertBilled(contract);
	// By the caller's `externalId` or the `itemId` of the totals; the two never clash on one contract.
	const item = openItems(work, contract).find(({ id, externalId }) => externalId === itemRef || id === itemRef);
	if (!item)
		throw rejectBilling(
			"LINE_ITEM_NOT_FOUND",
			`The contract '${refId}' has no line item '${itemRef}'; see GET /api/v1/contracts/${refId}/billing/summary.`,
		);
	const count = item.rows.length;
	if (rowIndex !== undefined && rowIndex >= count)
		throw rejectBilling(
			"ROW_NOT_FOUND",
			`The line item '${itemRef}' has no row ${rowIndex}; it has ${count === 0 ? "none" : `rows 0 to ${count - 1}`}.`,
		);
	nextPhase(contract, "changeItems");
	return { contract, item };
}

/** AmountTooLarge if the totals exceed the exact range of the wire. */
export function summed(work: Work, contract: ContractRow): BilledContract {
	const { entity, accounts } = ensureDefaultLegalEntity(work);
	const [account] = accounts;
	assert(account, "the default legal entity has a payment account");
	const totals = termTotals(itemsToPublish(work, contract), {
		currency: currencyOf(work, contract),
		legalEntityId: entity.id,
		paymentAccountId: account.id,
		activationStartAt: contract.activationStartAt,
		activationEndAt: contract.activationEndAt,
	});
	return { contract, totals: assertRepresentable(totals) };
}

/**
 * Returns the currency of lines that name none: that of the subscriptions' prices, else of the customer, else of the
 * environment.
 */
const currencyOf = (work: Work, contract: ContractRow): string =>
	pricedCurrencyOf(work, contract) ??
	getCustomerById(work, contract.customerId).billingCurrency ??
	defaultCurrencyOf(work);

/** `common` is the contract's window, the default of the item's `own`. */
function newItem(
	work: Work,
	input: ItemInput,
	currency: string,
	windows: { readonly common: Window; readonly own: Window },
	issuer: Issuer,
): NewItem {
	const model = pricingModel(input.pricingModelId ?? defaultPricingModelId);
	assertMetered(work, model, input);
	const own = readWindow(input, windows.own);
	return {
		externalId: input.externalId ?? null,
		name: input.name,
		itemName: input.itemName ?? null,
		pricingModelId: model.id,
		rows: readRows(model, input.rows),
		// The interface names no default unit; Tollgate uses the first of its list.
		billingCycleUnit: input.billingCycleUnit ?? "monthly",
		billingCycleCount: input.billingCycleCount ?? 1,
		paymentTime: paymentTimeOf(model, input),
		discount: decimalOrNull(input.discount),
		tax: decimalOrNull(input.tax),
		netTerms: input.netTerms ?? null,
		separateInvoice: input.separateInvoice ?? false,
		prorateCutCycles: input.prorateCutCycles ?? false,
		currency,
		legalEntityId: issuer.entity.id,
		paymentAccountId: choosePaymentAccount(issuer).id,
		...own,
		// An item that begins later than the others shares their cycles.
		cyclesFrom: isLater(own, windows.common) ? windows.common.activationStartAt : null,
		takenOutAt: null,
	};
}

const isLater = ({ activationStartAt: own }: Window, { activationStartAt: common }: Window): boolean =>
	own !== null && common !== null && own > common;

/**
 * Returns the dates that an item without dates gets: those of the other items (docs/interface/contracts.md), or the
 * contract's own while it has no items. In an amendment, the items count that continue as amended. If none continues,
 * the items in force before the amendment count, with the dates to which the amendment moved the contract.
 */
function commonWindow(work: Work, contract: ContractRow, lines: readonly ContractItemRow[]): Window {
	const amendment = findAmendment(work, contract);
	if (!amendment) return lines.length === 0 ? contract : spanOf(lines);
	const continuing = lines.filter(({ takenOutAt, activationEndAt }) => takenOutAt === null && !isOver(activationEndAt));
	if (continuing.length > 0) return spanOf(continuing);
	const before = spanOf(amendment.items);
	const { activationStartAt: start, activationEndAt: end } = contract;
	return {
		activationStartAt: start === amendment.activationStartAt ? before.activationStartAt : start,
		activationEndAt: end === amendment.activationEndAt ? before.activationEndAt : end,
	};

	function isOver(end: Instant | null): boolean {
		return end !== null && end <= work.now;
	}
}

/** Returns the span from the first start to the last end; open if one of them is open. */
function spanOf(lines: readonly Window[]): Window {
	const starts = lines.map(({ activationStartAt }) => activationStartAt);
	const ends = lines.map(({ activationEndAt }) => activationEndAt);
	return {
		activationStartAt: starts.includes(null) ? null : (Math.min(...starts.map(Number)) as Instant),
		activationEndAt: ends.includes(null) ? null : (Math.max(...ends.map(Number)) as Instant),
	};
}

const decimalOrNull = (sent: number | null | undefined) =>
	sent === undefined || sent === null ? null : toDecimal(sent);

/** Pay-as-you-go items name a metered feature (docs/interface/contracts.md). */
function assertMetered(work: Work, { id, isPayAsYouGo }: PricingModel, { name, itemName }: ItemInput): void {
	if (!isPayAsYouGo) return;
	const feature = itemName ? findFeature(work, itemName) : undefined;
	if (!feature || feature.meterType === "None")
		throw rejectBilling(
			"ITEM_NOT_METERED",
			`The line item '${name}' is priced by '${id}': give the id of a metered feature in 'itemName'.`,
		);
}
