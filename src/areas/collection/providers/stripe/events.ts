import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../../../../kernel/clock";
import { type EventIn, ProviderError } from "../provider";
import { idOf } from "./answers";

/** The largest age of a signature, and how far it may lie in the future. See docs.stripe.com/webhooks/signature. */
const toleranceSeconds = 300;
/** A header has one signature for each secret of a rotation. More are not read. */
const signaturesMax = 10;

/** Checks the signature over the raw bytes. Throws SIGNATURE. */
function assertSigned(raw: Uint8Array, header: string | null, secrets: readonly string[], now: Instant): void {
	const pairs = (header ?? "")
		.slice(0, 4096)
		.split(",")
		.map((part) => part.trim().split("="));
	const time = Number(pairs.find(([name]) => name === "t")?.[1] ?? Number.NaN);
	if (!Number.isSafeInteger(time)) throw new ProviderError("SIGNATURE", "the header 'Stripe-Signature' has no time");
	const signatures = pairs.flatMap(([name, value]) => (name === "v1" && value ? [Buffer.from(value, "hex")] : []));
	const isTheirs = secrets.some((secret) => {
		if (secret.trim() === "") return false;
		const expected = createHmac("sha256", secret).update(`${time}.`).update(raw).digest();
		return signatures
			.slice(0, signaturesMax)
			.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
	});
	if (!isTheirs) throw new ProviderError("SIGNATURE", "no signature of the event matches a secret of the connection");
	if (Math.abs(now / 1000 - time) > toleranceSeconds)
		throw new ProviderError("SIGNATURE", `the signature is more than ${toleranceSeconds} s old, or in the future`);
}

interface Thing {
	readonly object?: string;
	readonly id?: string;
	readonly payment_intent?: string | { readonly id: string } | null;
}

/** Checks the signature over the raw bytes, and reads the event. Throws SIGNATURE; REJECTED for bytes that are no event. */
export function readSignedEvent(raw: Uint8Array, headers: Headers, secrets: readonly string[], now: Instant): EventIn {
	assertSigned(raw, headers.get("stripe-signature"), secrets, now);
	return readEvent(raw);
}

/** Reads a signed event. An event of a later version or another kind is about OTHER. */
function readEvent(raw: Uint8Array): EventIn {
	const event = parse(raw);
	const { id, type, created } = event;
	const thing = (event.data as { object?: Thing } | undefined)?.object;
	if (typeof id !== "string" || typeof type !== "string" || id.length > 255 || type.length > 255)
		throw new ProviderError("REJECTED", "the event has no 'id' and 'type'");
	// Thin events have a date instead of seconds.
	const at = typeof created === "number" ? created * 1000 : Date.parse(String(created));
	return { id, kind: type, createdAt: (Number.isFinite(at) ? at : 0) as Instant, about: aboutOf(thing, id) };
}

function parse(raw: Uint8Array): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
		if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
	} catch {
		// Rejected below.
	}
	throw new ProviderError("REJECTED", "the event is no JSON object");
}

const things: Readonly<Record<string, EventIn["about"]["thing"]>> = {
	payment_intent: "PAYMENT",
	refund: "REFUND",
	dispute: "DISPUTE",
	"checkout.session": "PAGE",
	payment_method: "METHOD",
	payout: "PAYOUT",
};

function aboutOf(thing: Thing | undefined, eventId: string): EventIn["about"] {
	if (thing?.object === "charge") {
		const payment = idOf(thing.payment_intent);
		if (payment !== null) return { thing: "PAYMENT", ref: payment };
	}
	return { thing: things[thing?.object ?? ""] ?? "OTHER", ref: thing?.id ?? eventId };
}
