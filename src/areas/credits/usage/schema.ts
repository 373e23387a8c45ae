import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { literals, nullable, Timestamp } from "../../../kernel/schema";
import { walletsQuery } from "../balances/schema";

const timeRanges = ["LAST_DAY", "LAST_WEEK", "LAST_MONTH", "LAST_YEAR"] as const;
export type TimeRange = (typeof timeRanges)[number];

export const CreditUsageQuery = Type.Object(
	{
		...pageQuery,
		...walletsQuery,
		timeRange: Type.Optional(literals(...timeRanges)),
		startDate: Type.Optional(Timestamp),
		endDate: Type.Optional(Timestamp),
		groupBy: Type.Optional(Type.String({ pattern: "^[a-zA-Z0-9_$-]+(,[a-zA-Z0-9_$-]+){0,2}$", maxLength: 767 })),
	},
	{ additionalProperties: false },
);
export type CreditUsageQuery = Static<typeof CreditUsageQuery>;

const CreditUsagePoint = Type.Object(
	{ timestamp: Type.String(), value: Type.Number(), eventCount: Type.Integer() },
	{ $id: "CreditUsagePoint" },
);

const CreditUsageSeries = Type.Object(
	{
		featureId: nullable(Type.String()),
		featureName: nullable(Type.String()),
		totalCredits: Type.Number(),
		/** The number of uses. Sums over series count some uses twice. */
		eventCount: Type.Integer(),
		points: Type.Array(CreditUsagePoint),
		/** Only with `groupBy`. */
		tags: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
	},
	{ $id: "CreditUsageSeries" },
);
export type CreditUsageSeries = Static<typeof CreditUsageSeries>;

const CreditUsageCurrency = Type.Object(
	{
		currencyId: Type.String(),
		displayName: Type.String(),
		singular: nullable(Type.String()),
		plural: nullable(Type.String()),
		symbol: nullable(Type.String()),
	},
	{ $id: "CreditUsageCurrency" },
);

export const CreditUsage = Type.Object(
	{
		/** Null where no single currency applies. */
		currency: nullable(CreditUsageCurrency),
		pagination: Type.Object({ next: nullable(Type.String()), prev: nullable(Type.String()) }),
		series: Type.Array(CreditUsageSeries),
	},
	{ $id: "CreditUsage" },
);
export type CreditUsage = Static<typeof CreditUsage>;
