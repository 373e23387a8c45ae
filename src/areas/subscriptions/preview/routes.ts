import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { RefId, single } from "../../../kernel/schema";
import type { Services } from "../../../services";
import { draftPreviewOperations as operations } from "../openapi";
import { previewAddonDraft, previewPlanDraft } from "./draft";
import { SubscriptionPreviewed } from "./schema";
import { AddonDraftPreview, PlanDraftPreview } from "./schema.draft";
import { viewPreview } from "./view";

const params = Type.Object({ id: RefId });
// As a simulation: it shows what is not sold yet, and what a customer would pay. What it does is taken back.
const permit = { scope: "CATALOG:READ", also: "SUBSCRIPTION:READ" } as const;
const response = single(SubscriptionPreviewed);

/** What is not sold yet, in figures: below the paths of plans and addons, by the preview that subscriptions have. */
export const draftPreviewRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", normalize: false })
		.use(identity(services))
		.post(
			"/plans/:id/draft/preview",
			({ write, params: { id }, body }) => write((work) => ({ data: viewPreview(previewPlanDraft(work, id, body)) })),
			{ detail: { ...operations.plan, tags: ["Plans"] }, permit, params, body: PlanDraftPreview, response },
		)
		.post(
			"/addons/:id/draft/preview",
			({ write, params: { id }, body }) => write((work) => ({ data: viewPreview(previewAddonDraft(work, id, body)) })),
			{ detail: { ...operations.addon, tags: ["Addons"] }, permit, params, body: AddonDraftPreview, response },
		);
