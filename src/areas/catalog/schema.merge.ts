import { type Static, Type } from "@sinclair/typebox";
import { literals } from "../../kernel/schema";
import { catalogueLists } from "./schema";

export const EnvironmentMerge = Type.Object(
	{
		/** Id or name of the environment whose catalogue is applied. */
		from: Type.String({ minLength: 1, maxLength: 255 }),
		dryRun: Type.Optional(Type.Boolean()),
		prune: Type.Optional(Type.Boolean()),
		migrationType: Type.Optional(literals("NEW_CUSTOMERS", "ALL_CUSTOMERS")),
	},
	{ additionalProperties: false },
);
export type EnvironmentMerge = Static<typeof EnvironmentMerge>;

/** The request fields of a comparison, which changes nothing. */
export const EnvironmentCompare = Type.Pick(EnvironmentMerge, ["from", "prune"], { additionalProperties: false });
export type EnvironmentCompare = Static<typeof EnvironmentCompare>;

const entry = { list: literals(...catalogueLists), id: Type.String(), name: Type.String() };

export const MergedEnvironment = Type.Object(
	{
		changes: Type.Array(
			Type.Object({
				...entry,
				action: literals("add", "change", "archive"),
				fields: Type.Array(
					Type.Object({
						path: Type.String(),
						before: Type.Optional(Type.Unknown()),
						after: Type.Optional(Type.Unknown()),
					}),
				),
			}),
		),
		/** Entries that only this environment has and keeps, because `prune` is not set. */
		kept: Type.Array(Type.Object(entry)),
		/** The tasks that move subscriptions to new versions. */
		taskIds: Type.Array(Type.String()),
	},
	{ $id: "MergedEnvironment" },
);
