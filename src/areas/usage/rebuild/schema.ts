import { type Static, Type } from "@sinclair/typebox";
import { RefId } from "../../../kernel/schema";

/** The scope of a rebuild: one feature, or every feature of the environment. */
export const UsageRebuild = Type.Object({ featureId: Type.Optional(RefId) }, { additionalProperties: false });
export type UsageRebuild = Static<typeof UsageRebuild>;

export const RebuildStarted = Type.Object({ taskId: Type.String() });

/** The payload of a task: the row id of the feature; null for every feature. */
export const RebuildPayload = Type.Object({ featureId: Type.Union([Type.String(), Type.Null()]) });
