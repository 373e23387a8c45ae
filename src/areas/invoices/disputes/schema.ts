import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, Timestamp } from "../../../kernel/schema";
import { amountMax } from "../balance/schema";

/**
 * INQUIRY: the bank asks; no money moved. NEEDS_RESPONSE: the money is withdrawn, and the bank waits for evidence. ACCEPTED: lost by
 * choice. CLOSED: an inquiry that ended without a dispute. (Our names.)
 */
export const disputeStates = [
	...(["INQUIRY", "NEEDS_RESPONSE", "UNDER_REVIEW", "WON", "LOST", "ACCEPTED", "CLOSED"] as const),
] as const;
export type DisputeState = (typeof disputeStates)[number];

/** The allowed changes of state; all others are impossible. A state can be skipped, since a bank does not report each of them. */
export const nextDisputeStates: Readonly<Record<DisputeState, readonly DisputeState[]>> = {
	INQUIRY: ["NEEDS_RESPONSE", "UNDER_REVIEW", "WON", "LOST", "ACCEPTED", "CLOSED"],
	NEEDS_RESPONSE: ["UNDER_REVIEW", "WON", "LOST", "ACCEPTED"],
	UNDER_REVIEW: ["WON", "LOST", "ACCEPTED"],
	WON: [],
	LOST: [],
	ACCEPTED: [],
	CLOSED: [],
};

/** The states in which a dispute begins. */
export const firstDisputeStates = ["INQUIRY", "NEEDS_RESPONSE"] as const;

const Id = Type.String({ minLength: 1, maxLength: 255 });
const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));
const Note = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));

/** Our own route. Defaults: all that can be disputed, NEEDS_RESPONSE, now. */
export const DisputeReport = Type.Object(
	{
		amount: Type.Optional(ExactNumber({ exclusiveMinimum: 0, maximum: amountMax })),
		state: Type.Optional(literals(...firstDisputeStates)),
		openedDate: Type.Optional(Timestamp),
		/** The last time at which the bank takes evidence. */
		evidenceDueDate: Type.Optional(Timestamp),
		/** The bank's reason, such as its code. */
		reason: Text,
		/** The bank's number of the case: recorded once for each receipt. */
		reference: Text,
		note: Note,
	},
	{ additionalProperties: false },
);
export type DisputeReport = Static<typeof DisputeReport>;

/** Our own route. By default, the state changed now. */
export const DisputeChange = Type.Object(
	{
		state: literals(...disputeStates),
		changedDate: Type.Optional(Timestamp),
		evidenceDueDate: Type.Optional(Timestamp),
		note: Note,
	},
	{ additionalProperties: false },
);
export type DisputeChange = Static<typeof DisputeChange>;

/** The evidence of a dispute: texts by the provider's names of the fields. Our bounds. */
export const DisputeEvidence = Type.Object(
	{
		evidence: Type.Record(
			Type.String({ minLength: 1, maxLength: 100 }),
			Type.String({ minLength: 1, maxLength: 20_000 }),
			{ minProperties: 1, maxProperties: 40 },
		),
	},
	{ additionalProperties: false },
);
export type DisputeEvidence = Static<typeof DisputeEvidence>;

/** The same in GraphQL, which has no records. */
export const DisputeEvidenceList = Type.Object(
	{
		evidence: Type.Array(
			Type.Object(
				{
					field: Type.String({ minLength: 1, maxLength: 100 }),
					text: Type.String({ minLength: 1, maxLength: 20_000 }),
				},
				{ additionalProperties: false },
			),
			{ minItems: 1, maxItems: 40 },
		),
	},
	{ additionalProperties: false },
);

export const DisputePath = Type.Object({ disputeId: Id }, { additionalProperties: false });

export const DisputeListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		receiptId: Type.Optional(Id),
		state: Type.Optional(literals(...disputeStates)),
	},
	{ additionalProperties: false },
);
export type DisputeListQuery = Static<typeof DisputeListQuery>;

const nullableText = nullable(Type.String());

export const Dispute = Type.Object(
	{
		disputeId: Type.String(),
		receiptId: Type.String(),
		customerId: Type.String(),
		state: literals(...disputeStates),
		amount: Type.Number(),
		currency: Type.String(),
		reason: nullableText,
		reference: nullableText,
		note: nullableText,
		openedDate: Type.String(),
		evidenceDueDate: nullableText,
		/** The time at which the dispute ended. */
		endedDate: nullableText,
		/** The receipt of the withdrawal; only of a LOST or ACCEPTED dispute. */
		returnId: nullableText,
		createdAt: Type.String(),
	},
	{ $id: "Dispute", additionalProperties: false },
);
export type Dispute = Static<typeof Dispute>;
