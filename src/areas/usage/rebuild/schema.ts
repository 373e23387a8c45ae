import { type Static, Type } from "@sinclair/typebox";
import { RefId } from "../../../kernel/schema";

/** What is to be counted anew: the usage of one feature, or of every one of the environment. */
export const UsageRebuild = Type.Object({ featureId: Type.Optional(RefId) }, { additionalProperties: false });
export type UsageRebuild = Static<typeof UsageRebuild>;

export const RebuildStarted = Type.Object({ taskId: Type.String() });

/** What the task carries: the row id of the feature; null for every one. */
export const RebuildPayload = Type.Object({ featureId: Type.Union([Type.String(), Type.Null()]) });
