import { type Static, Type } from "@sinclair/typebox";
import { pageSizeMax } from "../../kernel/page";
import { queryInteger } from "../../kernel/query";
import { nullable } from "../../kernel/schema";

/** Positions in the event feed. */
const Cursor = queryInteger(1, 999_999_999_999_999);

/** Our addition. */
export const TimelineQuery = Type.Object(
	{ after: Type.Optional(Cursor), before: Type.Optional(Cursor), limit: Type.Optional(queryInteger(1, pageSizeMax)) },
	{ additionalProperties: false },
);
export type TimelineQuery = Static<typeof TimelineQuery>;

/** An event of a customer, as webhooks deliver it. `payload` contains its subject. */
export const CustomerEvent = Type.Object(
	{
		messageId: Type.String(),
		/** Events with the same cause have the same trace id. */
		traceId: Type.String(),
		sequence: Type.Integer(),
		type: Type.String(),
		/** The time in the environment. */
		timestamp: Type.String(),
		actor: Type.Object({ type: Type.String() }),
		payload: Type.Record(Type.String(), Type.Unknown()),
	},
	{ $id: "CustomerEvent" },
);
export type CustomerEvent = Static<typeof CustomerEvent>;

export const CustomerTimeline = Type.Object({
	data: Type.Array(CustomerEvent),
	pagination: Type.Object({ next: nullable(Type.String()), prev: nullable(Type.String()) }),
});
export type CustomerTimeline = Static<typeof CustomerTimeline>;
