import { Type } from "@sinclair/typebox";

const Count = Type.Integer();
const At = Type.String();
const Ms = Type.Union([Type.Number(), Type.Null()]);

const Sum = Type.Object({
	requests: Count,
	rejected: Count,
	failed: Count,
	medianMs: Ms,
	p99Ms: Ms,
});

/** The state of the whole installation. */
export const SystemStatus = Type.Object({
	version: Type.String(),
	missing: Type.Array(Type.String()),
	message: Type.Union([Type.String(), Type.Null()]),
	measuredSince: Type.Union([At, Type.Null()]),
	measuredAt: Type.Union([At, Type.Null()]),
	lastHour: Type.Union([Sum, Type.Null()]),
	lastDay: Type.Union([Sum, Type.Null()]),
	points: Type.Array(Type.Object({ at: At, requests: Count, failed: Count, p99Ms: Ms })),
	figures: Type.Array(Type.Object({ name: Type.String(), value: Type.Number() })),
	conditions: Type.Array(
		Type.Object({
			alert: Type.String(),
			state: Type.Union([Type.Literal("GOOD"), Type.Literal("BAD"), Type.Literal("UNKNOWN")]),
			value: Type.Union([Type.Number(), Type.Null()]),
			limit: Type.Number(),
			summary: Type.String(),
			remedy: Type.Array(Type.String()),
		}),
	),
});
