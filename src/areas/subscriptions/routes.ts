import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import type { EffectiveEntitlement } from "../entitlement-sources/schema";
import { detailOf, detailsOf } from "./details";
import { importSubscriptions } from "./import/request";
import { ImportStarted, SubscriptionImport } from "./import/schema";
import { SubscriptionProvisioned } from "./lifecycle/schema.provisioned";
import { subscriptionOperations as operations } from "./openapi";
import {
	cancelPendingPayment,
	cancelScheduledUpdates,
	cancelSubscription,
	chargeSubscriptionUsage,
	delegateSubscription,
	getSubscription,
	listSubscriptions,
	migrateSubscription,
	paySubscription,
	provisionSubscription,
	syncUsage,
	transferSubscription,
	updateSubscription,
} from "./operations";
import { previewSubscription } from "./preview/preview";
import { SubscriptionPreview, SubscriptionPreviewed } from "./preview/schema";
import { viewPreview } from "./preview/view";
import {
	IdOnly,
	Subscription,
	SubscriptionCancel,
	SubscriptionDelegate,
	SubscriptionListQuery,
	SubscriptionMigrate,
	SubscriptionPath,
	SubscriptionTransfer,
	UsageCharge,
	UsageCharged,
	UsageSynced,
} from "./schema";
import { SubscriptionProvision } from "./schema.provision";
import { SubscriptionUpdate } from "./schema.update";
import type { SubscriptionRow } from "./table";
import { viewCharge, viewSubscription } from "./view";

const show = (work: Work, row: SubscriptionRow) => ({ data: viewSubscription(detailOf(work, row), work.now) });

/** By the caller's ids. The entitlements area comes after this one, so routes/subscriptions.ts passes this function in. */
type ListEntitlements = (
	work: Work,
	customerRef: string,
	resourceRef: string | null,
) => { readonly entitlements: EffectiveEntitlement[] };

/** The response shows the customer's entitlements after the change, read in the same transaction. */
function provision(
	work: Work,
	body: SubscriptionProvision,
	listEntitlements: ListEntitlements,
): { data: SubscriptionProvisioned } {
	const row = provisionSubscription(work, body);
	const details = detailOf(work, row);
	return {
		data: {
			id: row.refId,
			status: "SUCCESS",
			isScheduled: row.startAt > work.now,
			entitlements: listEntitlements(work, details.customerRef, details.resourceRef).entitlements,
			subscription: viewSubscription(details, work.now),
		},
	};
}

const showId = ({ refId }: SubscriptionRow) => ({ data: { id: refId } });

/** A request without a body equals one with an empty body (docs/interface/http.md). */
const optional = <Body extends TSchema>(body: Body) => Type.Union([body, Type.Undefined()]);

const limited = { scope: "SUBSCRIPTION:WRITE", limitedBy: "subscription" } as const;
const params = SubscriptionPath;
const response = single(Subscription);

export const subscriptionRoutes = (services: Services, listEntitlements: ListEntitlements) =>
	new Elysia({ prefix: "/api/v1/subscriptions", tags: ["Subscriptions"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listSubscriptions(work, query);
					const details = new Map(detailsOf(work, page.rows).map((one) => [one.row.id, one]));
					return viewPage(page, (row) => viewSubscription(details.get(row.id) ?? detailOf(work, row), work.now));
				}),
			{
				detail: operations.list,
				permit: "SUBSCRIPTION:READ",
				query: SubscriptionListQuery,
				response: listOf(Subscription),
			},
		)
		.post("", ({ create, body }) => create((work) => provision(work, body, listEntitlements)), {
			detail: operations.provision,
			permit: { scope: "SUBSCRIPTION:WRITE", limitedBy: "customer-resource" },
			body: SubscriptionProvision,
			response: { 201: single(SubscriptionProvisioned) },
		})
		.post("/import", ({ write, body }) => write((work) => ({ data: { taskId: importSubscriptions(work, body).id } })), {
			detail: operations.import,
			permit: "SUBSCRIPTION:WRITE",
			body: SubscriptionImport,
			response: single(ImportStarted),
		})
		.post("/preview", ({ write, body }) => write((work) => ({ data: viewPreview(previewSubscription(work, body)) })), {
			// The preview is rolled back, so it writes nothing.
			detail: operations.preview,
			permit: "SUBSCRIPTION:READ",
			body: SubscriptionPreview,
			response: single(SubscriptionPreviewed),
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => show(work, getSubscription(work, id))), {
			detail: operations.retrieve,
			permit: "SUBSCRIPTION:READ",
			params,
			response,
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => show(work, updateSubscription(work, id, body))),
			{ detail: operations.update, permit: limited, params, body: SubscriptionUpdate, response },
		)
		.post(
			"/:id/cancel",
			({ write, params: { id }, body }) => write((work) => show(work, cancelSubscription(work, id, body ?? {}))),
			{ detail: operations.cancel, permit: limited, params, body: optional(SubscriptionCancel), response },
		)
		.post(
			"/:id/migrate",
			({ write, params: { id }, body }) => write((work) => show(work, migrateSubscription(work, id, body ?? {}))),
			{ detail: operations.migrate, permit: limited, params, body: optional(SubscriptionMigrate), response },
		)
		.post(
			"/:id/transfer",
			({ write, params: { id }, body }) => write((work) => show(work, transferSubscription(work, id, body))),
			{ detail: operations.transfer, permit: limited, params, body: SubscriptionTransfer, response },
		)
		.post(
			"/:id/delegate",
			({ write, params: { id }, body }) => write((work) => show(work, delegateSubscription(work, id, body))),
			{ detail: operations.delegate, permit: limited, params, body: SubscriptionDelegate, response },
		)
		.delete(
			"/:id/future-update/schedule",
			({ write, params: { id } }) => write((work) => showId(cancelScheduledUpdates(work, id))),
			{ detail: operations.futureUpdate.cancelSchedule, permit: limited, params, response: single(IdOnly) },
		)
		.delete(
			"/:id/future-update/pending-payment",
			({ write, params: { id } }) => write((work) => showId(cancelPendingPayment(work, id))),
			{ detail: operations.futureUpdate.cancelPendingPayment, permit: limited, params, response: single(IdOnly) },
		)
		.post("/:id/invoice/paid", ({ write, params: { id } }) => write((work) => showId(paySubscription(work, id))), {
			detail: operations.markAsPaid,
			permit: "SUBSCRIPTION:WRITE",
			params,
			response: single(IdOnly),
		})
		.post(
			"/:id/usage/charge",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewCharge(id, chargeSubscriptionUsage(work, id, body ?? {})) })),
			{
				detail: operations.usage.charge,
				permit: "SUBSCRIPTION:WRITE",
				params,
				body: optional(UsageCharge),
				response: single(UsageCharged),
			},
		)
		.post("/:id/usage/sync", ({ write, params: { id } }) => write((work) => ({ data: syncUsage(work, id) })), {
			detail: operations.usage.sync,
			permit: "SUBSCRIPTION:WRITE",
			params,
			response: single(UsageSynced),
		});
