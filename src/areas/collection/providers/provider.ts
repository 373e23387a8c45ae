/**
 * The interface of adapters of payment providers. Adapters know no table and no transaction: the collector calls them, and one function
 * of the area applies what they answer. Each adapter does only what its `can` declares; Tollgate refuses the rest before it stores
 * anything (docs/adapters.md).
 */
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";

/** Money in major units of an ISO 4217 currency in lower case. The adapter converts it to the provider's unit, exactly or not at all. */
export interface Money {
	readonly amount: Decimal;
	readonly currency: string;
}

/** Our own name of a thing, which the adapter stores at the provider so that a look-up without the provider's reference finds it. */
export interface OurReference {
	readonly ours: string;
}

export interface Capabilities {
	/** Creating a payment charges nothing; a separate call confirms it. */
	readonly twoSteps: boolean;
	readonly savedMethods: boolean;
	readonly partialRefunds: boolean;
	readonly disputes: boolean;
	/** A look-up by our reference is complete: what it does not find does not exist. */
	readonly findByReference: boolean;
	/** How long the provider remembers an idempotency key, in hours. */
	readonly keyHours: number;
}

/** A saved method of payment as the provider describes it. It never has a card number or a whole account number. */
export interface SavedMethod {
	readonly ref: string;
	readonly customerRef: string;
	readonly kind: "CARD" | "DIRECT_DEBIT" | "WALLET" | "OTHER";
	/** The card's brand or the bank's name. */
	readonly brand: string | null;
	readonly last4: string | null;
	/** The month after which the card is no longer valid; null for other methods. */
	readonly expiresMonth: number | null;
	readonly expiresYear: number | null;
	/** ISO 3166, upper case. */
	readonly country: string | null;
}

/** A page of the provider on which the customer saves a method, or pays once. */
export interface HostedPage {
	readonly purpose: "SAVE_METHOD" | "PAY";
	/** Our name of the page; the provider's events and look-ups carry it back. */
	readonly ours: string;
	/** The provider's customer; null makes one with the name and the mail address. */
	readonly customerRef: string | null;
	readonly customerName: string | null;
	readonly customerEmail: string | null;
	/** The amount that the page charges; null when it saves a method. */
	readonly money: Money | null;
	/** The currency of later charges with a method that the page saves, lower case. Null: the page saves cards only. */
	readonly methodCurrency?: string | null;
	/** The text that the customer reads on the page, such as the number of the invoice. */
	readonly description: string;
	/** A page that pays also saves the method for later charges. */
	readonly savesMethod: boolean;
	readonly successUrl: string;
	readonly cancelUrl: string;
}

export interface OpenedPage {
	readonly ref: string;
	readonly url: string;
	readonly customerRef: string | null;
	readonly expiresAt: Instant;
}

/** One attempt to collect money with a saved method, without the customer present. */
export interface AttemptOrder {
	readonly ours: string;
	readonly money: Money;
	readonly customerRef: string;
	readonly methodRef: string;
	readonly description: string;
}

/** Why the provider says that a charge failed. `code` is the provider's own, unchanged. */
export interface Failure {
	readonly code: string;
	readonly message: string;
	readonly bucket: Bucket;
}

/**
 * The prospect of further attempts: RETRY_LATER may succeed another day; NEW_METHOD needs another method; AUTHENTICATE needs the
 * customer; NEVER must not be tried with this method again; OURS is our fault or the provider's and uses no step of a schedule.
 */
export type Bucket = "RETRY_LATER" | "INSUFFICIENT_FUNDS" | "NEW_METHOD" | "AUTHENTICATE" | "NEVER" | "OURS";

/** The state of a payment at the provider, whichever call or look-up reports it. */
export interface Answer {
	readonly ref: string;
	readonly ours: string | null;
	readonly state: "UNCONFIRMED" | "PROCESSING" | "REQUIRES_ACTION" | "SUCCEEDED" | "FAILED" | "CANCELED";
	/** The money that the provider received so far. */
	readonly received: Money;
	/** The part of it that went back to the customer. */
	readonly refunded: Decimal;
	/** The provider's fee, in the currency of the payment; null while it is unknown or in another currency. */
	readonly fee: Decimal | null;
	readonly failure: Failure | null;
	/** Where the customer authenticates; only in REQUIRES_ACTION. */
	readonly actionUrl: string | null;
	/** The method that paid, when the provider states it. */
	readonly method: SavedMethod | null;
	/** The time of the provider's own record of the money; null while none arrived. */
	readonly movedAt: Instant | null;
	readonly dispute: DisputeAnswer | null;
}

export interface RefundOrder {
	readonly ours: string;
	/** The provider's reference of the payment. */
	readonly paymentRef: string;
	readonly money: Money;
	/** The whole of what is left; an adapter without `partialRefunds` accepts nothing else. */
	readonly whole: boolean;
	readonly reason: string | null;
}

export interface RefundAnswer {
	readonly ref: string;
	readonly ours: string | null;
	readonly state: "PROCESSING" | "SUCCEEDED" | "FAILED";
	readonly money: Money;
	readonly failure: Failure | null;
}

export interface DisputeAnswer {
	readonly ref: string;
	readonly paymentRef: string;
	readonly state: "INQUIRY" | "CLOSED" | "NEEDS_RESPONSE" | "UNDER_REVIEW" | "WON" | "LOST";
	/** The disputed amount, of an inquiry too. */
	readonly amount: Decimal;
	/** The money that the provider withdrew; 0 for an inquiry. */
	readonly money: Money;
	readonly reason: string;
	readonly evidenceDueAt: Instant | null;
}

/** The evidence of a dispute, as text by the provider's name of the field. */
export type Evidence = Readonly<Record<string, string>>;

/** An event is a hint: it says what to look up, never what happened. */
export interface EventIn {
	readonly id: string;
	readonly kind: string;
	readonly createdAt: Instant;
	readonly about: {
		readonly thing: "PAYMENT" | "REFUND" | "DISPUTE" | "PAGE" | "METHOD" | "PAYOUT" | "OTHER";
		readonly ref: string;
	};
}

/** One movement of money on the provider's account, for the daily comparison. Amounts are negative for money out. */
export interface Movement {
	readonly ref: string;
	readonly kind: "PAYMENT" | "REFUND" | "DISPUTE" | "DISPUTE_REVERSAL" | "FEE" | "PAYOUT" | "OTHER";
	/** The payment, refund, dispute or payout that it belongs to. */
	readonly sourceRef: string | null;
	readonly money: Money;
	readonly fee: Decimal;
	readonly at: Instant;
}

/** The provider gave a definite answer that is no answer about the payment, such as a refused key. */
export class ProviderError extends Error {
	override readonly name = "ProviderError";
	constructor(
		/**
		 * CREDENTIALS: the provider refuses the connection; REJECTED: this call is wrong and stays wrong; LATER: the provider answered that
		 * it cannot now (429, 5xx): the key was used; UNANSWERED: no answer arrived, so nothing is known; SIGNATURE: an event is not theirs.
		 */
		readonly kind: "CREDENTIALS" | "REJECTED" | "LATER" | "UNANSWERED" | "SIGNATURE",
		message: string,
		readonly code: string | null = null,
	) {
		super(message);
	}
}

/** Every method throws only `ProviderError`. Each call ends within 30 s. */
export interface Provider {
	readonly can: Capabilities;
	/** Confirms the credentials with a call that changes nothing; returns the account's name. */
	verify(): Promise<{ readonly account: string; readonly live: boolean }>;
	openPage(page: HostedPage, key: string): Promise<OpenedPage>;
	/** Returns the result of a page: the method that it saved, the payment that it made. */
	lookPage(ref: string): Promise<{
		readonly state: "OPEN" | "COMPLETE" | "EXPIRED";
		readonly method: SavedMethod | null;
		readonly payment: Answer | null;
	}>;
	/** Closes a page, so that nobody can pay on it any more. A page that is complete or expired stays as it is. */
	closePage(ref: string): Promise<void>;
	lookMethod(ref: string): Promise<SavedMethod | "NOT_FOUND">;
	/** Deletes a method at the provider. A method that it no longer knows is no error. */
	detachMethod(ref: string): Promise<void>;
	/** Charges nothing where `can.twoSteps`. */
	create(attempt: AttemptOrder, key: string): Promise<Answer>;
	/**
	 * Charges. `returnUrl` is the page of ours to which the customer comes back after an authentication. Without it, a charge that needs the
	 * customer fails in the bucket AUTHENTICATE; with it, the answer is REQUIRES_ACTION.
	 */
	confirm(ref: string, key: string, returnUrl?: string): Promise<Answer>;
	look(payment: string | OurReference): Promise<Answer | "NOT_FOUND">;
	/** Answers SUCCEEDED when it was too late. */
	cancel(ref: string): Promise<Answer>;
	refund(refund: RefundOrder, key: string): Promise<RefundAnswer>;
	lookRefund(refund: string | OurReference, paymentRef: string): Promise<RefundAnswer | "NOT_FOUND">;
	lookDispute(ref: string): Promise<DisputeAnswer | "NOT_FOUND">;
	sendEvidence(ref: string, evidence: Evidence, key: string): Promise<DisputeAnswer>;
	acceptDispute(ref: string): Promise<DisputeAnswer>;
	/** Checks the signature over the raw bytes before it reads them; throws SIGNATURE. */
	readEvent(raw: Uint8Array, headers: Headers, secrets: readonly string[], now: Instant): Promise<EventIn>;
	/** All movements since an instant, oldest first, in pages. */
	movements(since: Instant): AsyncIterable<Movement>;
}

/** The credentials of a connection, opened from their seal for one call. */
export interface Credentials {
	readonly secretKey: string;
	/** Another base address than the provider's own, for a stand-in on loopback. Only in TEST. */
	readonly baseUrl: string | null;
}
