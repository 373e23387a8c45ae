import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { DisplayName, literals, nullable, RefId } from "../../../kernel/schema";
import { endActions, failureBuckets, mailLanguages, policySources, reminderKinds } from "./schema.values";

const closed = { additionalProperties: false };

/** Our limits: a year before the due date is no reminder, and two years later a debt collector takes over. */
const [daysMin, daysMax] = [-365, 730];

/** Our bound on the reminders of a policy. */
const remindersMax = 20;

/** Our bound on the tries of a policy. Networks allow fifteen declines of a card in thirty days. */
const triesMax = 15;

/** The default schedule of invoices that Tollgate charges. The charge at the issue is the first try. */
export const triesDefault: readonly number[] = [0, 2, 5, 9, 14, 21];

/** The default schedule of invoices that are paid by transfer. */
export const remindersDefault: readonly number[] = [-3, 0, 7, 14, 28];

const Day = Type.Integer({ minimum: daysMin, maximum: daysMax });

/** Days from the due date, ascending. */
const Reminders = Type.Array(Day, { minItems: 1, maxItems: remindersMax });

/** When Tollgate charges an unpaid invoice again, and after which failures. Other failures wait for the customer. */
const PolicyRetries = Type.Object(
	{
		/** Days from the due date, ascending; at most 15 tries. */
		days: Type.Array(Type.Integer({ minimum: 0, maximum: daysMax }), { minItems: 1, maxItems: triesMax }),
		buckets: Type.Optional(Type.Array(literals(...failureBuckets), { minItems: 1, maxItems: failureBuckets.length })),
	},
	closed,
);
export type PolicyRetries = Static<typeof PolicyRetries>;

const PolicyEnd = Type.Object(
	{
		action: literals(...endActions),
		/** Days from the due date, after the last reminder. */
		afterDays: Day,
	},
	closed,
);
export type PolicyEnd = Static<typeof PolicyEnd>;

export const ReminderText = Type.Object(
	{
		kind: literals(...reminderKinds),
		language: literals(...mailLanguages),
		subject: Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\r\\n]*\\S[^\\r\\n]*$" }),
		text: Type.String({ minLength: 1, maxLength: 8000 }),
	},
	closed,
);
export type ReminderText = Static<typeof ReminderText>;

/** One text for each tone and language. */
const Texts = Type.Array(ReminderText, { maxItems: reminderKinds.length * mailLanguages.length });

/** Our bound on the plans and legal entities of a policy. */
const namedMax = 100;
const Named = Type.Array(RefId, { maxItems: namedMax });

const PolicyScope = Type.Object(
	{
		isDefault: Type.Optional(Type.Boolean()),
		legalEntityIds: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: namedMax })),
		planIds: Type.Optional(Named),
	},
	closed,
);

const terms = {
	reminders: Type.Optional(Reminders),
	/** Null: Tollgate charges nothing again, and reminds customers of charged invoices as of others. */
	retries: Type.Optional(nullable(PolicyRetries)),
	texts: Type.Optional(Texts),
	appliesTo: Type.Optional(PolicyScope),
};

export const DunningPolicyCreate = Type.Object(
	{ id: RefId, displayName: DisplayName, end: PolicyEnd, ...terms },
	closed,
);
export type DunningPolicyCreate = Static<typeof DunningPolicyCreate>;

/** A missing field keeps its value. Cases that run keep the schedule that they started with. */
export const DunningPolicyUpdate = Type.Object(
	{ displayName: Type.Optional(DisplayName), end: Type.Optional(PolicyEnd), ...terms },
	closed,
);
export type DunningPolicyUpdate = Static<typeof DunningPolicyUpdate>;

export const DunningPolicyPath = Type.Object({ id: RefId });

export const DunningPolicyListQuery = Type.Object(
	{ ...pageQuery, ...createdAtQuery, status: Type.Optional(queryList("ACTIVE", "ARCHIVED")) },
	closed,
);
export type DunningPolicyListQuery = Static<typeof DunningPolicyListQuery>;

const PolicyStatus = literals("ACTIVE", "ARCHIVED");

export const DunningPolicy = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		status: PolicyStatus,
		reminders: Type.Array(Type.Integer()),
		/** Null: Tollgate charges nothing again. */
		retries: nullable(
			Type.Object({ days: Type.Array(Type.Integer()), buckets: Type.Array(literals(...failureBuckets)) }),
		),
		end: Type.Object({ action: literals(...endActions), afterDays: Type.Integer() }),
		texts: Type.Array(
			Type.Object({
				kind: literals(...reminderKinds),
				language: literals(...mailLanguages),
				subject: Type.String(),
				text: Type.String(),
			}),
		),
		appliesTo: Type.Object({
			isDefault: Type.Boolean(),
			legalEntityIds: Type.Array(Type.String()),
			planIds: Type.Array(Type.String()),
		}),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "DunningPolicy" },
);
export type DunningPolicy = Static<typeof DunningPolicy>;

/** The policy of a customer. `policyId` null with `isExempt` false removes the customer's own. */
export const CustomerDunningUpdate = Type.Object(
	{ policyId: Type.Optional(nullable(RefId)), isExempt: Type.Optional(Type.Boolean()) },
	{ ...closed, minProperties: 1 },
);
export type CustomerDunningUpdate = Static<typeof CustomerDunningUpdate>;

export const CustomerDunning = Type.Object(
	{
		customerId: Type.String(),
		/** The customer's own policy. */
		policyId: nullable(Type.String()),
		isExempt: Type.Boolean(),
		/** The policy of its next invoice without a plan, and the level that decides. */
		applied: nullable(Type.Object({ policyId: Type.String(), source: literals(...policySources) })),
	},
	{ $id: "CustomerDunning" },
);
export type CustomerDunning = Static<typeof CustomerDunning>;
