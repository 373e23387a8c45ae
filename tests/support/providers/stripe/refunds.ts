import type Stripe from "stripe";
import { type Account, later } from "./account";
import { testMethodOf } from "./charging";
import { invalid, missing, Refusal, wrongState } from "./errors";
import { inner, type Params, text, texts } from "./form";
import { move } from "./money";
import { newRefund } from "./objects";

const refundMs = 3_000;

export function refund(account: Account, params: Params): Stripe.Refund {
	const { objects } = account;
	const charge = chargeOf(account, params);
	const left = charge.amount_captured - charge.amount_refunded;
	if (isDisputed(account, charge.id))
		throw wrongState("This charge has been charged back; cannot issue a refund.", "charge_disputed");
	if (left === 0) throw wrongState(`Charge ${charge.id} has already been refunded.`, "charge_already_refunded");
	const amount = Number(text(params, "amount") ?? left);
	if (!Number.isInteger(amount) || amount < 1) throw invalid("Invalid integer", "amount", "parameter_invalid_integer");
	if (amount > left)
		throw new Refusal(400, {
			...{ type: "invalid_request_error", param: "amount" },
			message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
		});
	const method = objects.methods.get(String(charge.payment_method));
	const behaviour = method && testMethodOf(account, method).refund;
	const made = newRefund(account, charge, {
		...{
			amount,
			metadata: texts(inner(params, "metadata")),
			status: behaviour === "pending" ? "pending" : "succeeded",
		},
		reason: text(params, "reason") ?? null,
	});
	objects.refunds.set(made.id, made);
	charge.amount_refunded += amount;
	charge.refunded = charge.amount_refunded === charge.amount_captured;
	const { currency } = charge;
	const type = charge.id.startsWith("ch") ? "refund" : "payment_refund";
	made.balance_transaction = move(account, type, { amount: -amount, currency, source: made.id }).id;
	if (behaviour !== undefined) later(account, refundMs, "finish refund", made.id);
	account.emit("refund.created", made);
	account.emit("charge.refunded", charge);
	return made;
}

function chargeOf({ objects }: Account, params: Params): Stripe.Charge {
	const intentId = text(params, "payment_intent");
	const intent = intentId === undefined ? undefined : objects.intents.get(intentId);
	if (intentId !== undefined && !intent) throw missing("payment_intent", intentId);
	const id = text(params, "charge") ?? String(intent?.latest_charge);
	const charge = objects.charges.get(id);
	if (charge?.status === "succeeded") return charge;
	throw wrongState("This PaymentIntent does not have a successful charge to refund.", "charge_not_refundable");
}

const isDisputed = ({ objects }: Account, chargeId: string): boolean =>
	[...objects.disputes.values()].some(
		({ charge, status }) => charge === chargeId && !status.startsWith("warning_") && status !== "won",
	);

/** A pending refund succeeds; a refund that fails later gives the money back to the account. */
export function finishRefund(account: Account, id: string): void {
	const { objects } = account;
	const made = objects.refunds.get(id);
	const charge = objects.charges.get(String(made?.charge));
	if (!made || !charge || made.status === "failed") return;
	if (made.status === "pending") {
		made.status = "succeeded";
		account.emit("refund.updated", made);
		return;
	}
	made.status = "failed";
	made.failure_reason = "expired_or_canceled_card";
	const { amount, currency } = made;
	made.failure_balance_transaction = move(account, "refund_failure", { amount, currency, source: made.id }).id;
	charge.amount_refunded -= amount;
	charge.refunded = false;
	account.emit("refund.failed", made);
}
