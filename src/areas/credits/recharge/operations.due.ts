import type { Instant } from "../../../kernel/clock";
import { exact, zero } from "../../../kernel/decimal";
import { attemptStep, type DueSource, type DueStep } from "../../../kernel/due";
import { assert, fail, shownMessage } from "../../../kernel/errors";
import { addDays, startOfMonth } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { currenciesByIds } from "../../currencies/operations";
import type { CurrencyRow } from "../../currencies/table";
import { getCustomerById } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { invoiceCredits } from "../invoice-credits";
import { carryOutDue } from "../operations.due";
import { issueGrant } from "../operations.issue";
import { openWallet } from "../store.wallets";
import { type CreditAutoRechargeRow, creditAutoRecharges } from "../table";
import { emitRechargeAttempted, emitSpendLimitReached } from "./events";
import type { FindCreditPrice } from "./operations";
import { type CreditPrice, decideRecharge, expiryOf, spentInMonth, thresholdInCredits } from "./rules";
import { balanceOf } from "./schedule";
import { firstRechargeDueAt, type RechargeChanges, saveRecharge } from "./store";

/** The due recharges for the scheduler. */
export const dueRecharges = (creditPriceOf: FindCreditPrice): DueSource => ({
	...dueTimesOf(creditAutoRecharges),
	carryOutFirst: (work, dueAt) => {
		const settings = firstRechargeDueAt(work, dueAt);
		assert(settings, "due recharges exist");
		return attempt(work, settings, dueAt, creditPriceOf);
	},
});

/** Carries out a recharge. A failure is stored in the settings, and retried a day later or when the settings are saved. */
function attempt(work: Work, settings: CreditAutoRechargeRow, dueAt: Instant, creditPriceOf: FindCreditPrice): DueStep {
	work.cause.operation ??= "scheduler.RECHARGE";
	const customer = getCustomerById(work, settings.customerId);
	const currency = currenciesByIds(work, [settings.currencyId]).get(settings.currencyId);
	assert(currency, "settings have a currency");
	const subject = { customerId: customer.refId, currencyId: currency.refId };
	const failed = attemptStep(work, () => {
		const then = workAt(work, dueAt);
		saveRecharge(then, settings, recharge(then, { settings, customer, currency, creditPriceOf }));
	});
	if (!failed) return { at: dueAt, subject };
	const retryAt = addDays(Math.max(dueAt, work.now) as Instant, 1);
	const problem = shownMessage(failed.failure, settings.id);
	saveRecharge(work, settings, { problem, nextDueAt: retryAt });
	emitRechargeAttempted(work, settings, { status: "FAILED", problem });
	return { at: dueAt, subject, ...failed, retry: { step: "RECHARGE", retryAt } };
}

interface Recharge {
	readonly settings: CreditAutoRechargeRow;
	readonly customer: CustomerRow;
	readonly currency: CurrencyRow;
	readonly creditPriceOf: FindCreditPrice;
}

/** Recharges the balance. Returns the changes of the settings. */
function recharge(work: Work, { settings, customer, currency, creditPriceOf }: Recharge): RechargeChanges {
	const of = { customerId: customer.id, currencyId: currency.id, resourceRef: "" };
	carryOutDue(work, openWallet(work, of).id);
	const balance = balanceOf(openWallet(work, of));
	const price = creditPriceOf(work, of) ?? ownPrice(settings);
	const thresholdCredits = thresholdInCredits(settings.thresholdType, settings.thresholdValue, price);
	const done = { thresholdCredits, problem: null, nextDueAt: null };
	const isLow = exact(balance).lte(exact(thresholdCredits)) && exact(balance).lt(exact(settings.targetBalance));
	if (!settings.isEnabled || settings.pendingGrantId !== null || !isLow) return done;
	assertNotArchived(customer);
	if (currency.archivedAt !== null)
		throw fail("CustomCurrencyNotFound", `The custom currency '${currency.refId}' is archived; unarchive it first.`);
	const decision = decideRecharge(settings, balance, price, work.now);
	if ("problem" in decision) {
		emitRechargeAttempted(work, settings, { status: "FAILED", problem: decision.problem });
		return { ...done, problem: decision.problem, nextDueAt: decision.retryAt };
	}
	const { amount, cost, spent } = decision;
	const displayName = "Recharge";
	const invoice =
		cost.amount === zero
			? undefined
			: invoiceCredits(work, { customer, currency, displayName, amount, cost, billingReason: "OTHER" });
	const awaitsPayment = invoice?.state === "OPEN";
	const grant = issueGrant(work, {
		...of,
		...{ displayName, amount, cost, awaitsPayment },
		grantType: "PAID",
		effectiveAt: work.now,
		expireAt: expiryOf(settings.grantExpirationPeriod, work.now),
		invoiceId: invoice?.id ?? null,
	});
	const status = awaitsPayment ? "AWAITS_PAYMENT" : "SUCCEEDED";
	emitRechargeAttempted(work, settings, { status, amount, creditGrantId: grant.id });
	emitSpendLimitReached(work, settings, spentInMonth(settings, work.now), spent);
	return { ...done, spentMonth: startOfMonth(work.now), spent, pendingGrantId: awaitsPayment ? grant.id : null };
}

const ownPrice = ({ unitPrice, unitCurrency }: CreditAutoRechargeRow): CreditPrice | undefined =>
	unitPrice === null || unitCurrency === null ? undefined : { amount: unitPrice, currency: unitCurrency };
