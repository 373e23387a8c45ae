import type { Static } from "@sinclair/typebox";
import type { Applied } from "./operations";
import type { MergedEnvironment } from "./schema.merge";

export const viewMerged = ({ changes, kept, taskIds }: Applied): Static<typeof MergedEnvironment> => ({
	changes: changes.map(({ fields, ...change }) => ({ ...change, fields: [...fields] })),
	kept: [...kept],
	taskIds: [...taskIds],
});
