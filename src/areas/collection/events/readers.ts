import type { Instant } from "../../../kernel/clock";
import type { ProviderKind } from "../connections/schema";
import type { EventIn } from "../providers/provider";

/** Checks the signature over the raw bytes and reads the event. Throws ProviderError: SIGNATURE, or REJECTED for no event. */
type ReadEvent = (raw: Uint8Array, headers: Headers, secrets: readonly string[], now: Instant) => EventIn;

/** The reader of each provider's events: it needs no client of the provider. */
const readers: Readonly<Record<ProviderKind, () => Promise<ReadEvent>>> = {
	STRIPE: async () => (await import("../providers/stripe/events")).readSignedEvent,
};

export const eventReaderOf = (kind: ProviderKind): Promise<ReadEvent> => readers[kind]();
