import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { answer, listOf, Pagination, RefId, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { Charge } from "./charges/schema";
import { createEntitlements, removeEntitlement, updateEntitlement } from "./entitlements/operations";
import { PackageEntitlement, PackageEntitlementsCreate, PackageEntitlementUpdate } from "./entitlements/schema";
import { packageOperations } from "./openapi";
import { chargesOf, entitlementsOf, getVersion, listCharges } from "./operations";
import { refsOfCharges, refsOfEntitlements } from "./operations.details";
import { ChargeListQuery, type PackageKind, PackagePublish, PublishQuery, VersionQuery } from "./schema";
import type { PackageEntitlementRow, VersionRow } from "./table";
import { type Publishing, removeDraft } from "./versions/operations";
import { PublishResult } from "./versions/schema.impact";
import { viewCharge, viewEntitlement } from "./view";

const params = Type.Object({ id: RefId });
const readable = { scope: "CATALOG:READ", publishable: true } as const;

/** Routes that plans and addons share: charges, drafts, publishing. Each area mounts them under its own path. */
export const versionRoutes = (services: Services, kind: PackageKind, { publish, impactOf, chargesInUse }: Publishing) =>
	new Elysia({ normalize: false })
		.use(identity(services))
		.get(
			"/:id/charges",
			({ read, params: { id }, query }) => read((work) => chargePage(work, kind, id, false, query, chargesInUse)),
			{
				detail: packageOperations(kind).listCharges,
				permit: readable,
				params,
				query: ChargeListQuery,
				response: listOf(Charge),
			},
		)
		.delete(
			"/:id/draft",
			({ write, params: { id } }) => write((work) => ({ data: { id: removeDraft(work, kind, id).refId } })),
			{
				detail: packageOperations(kind).removeDraft,
				permit: "CATALOG:WRITE",
				params,
				response: single(Type.Object({ id: Type.String() })),
			},
		)
		.post(
			"/:id/publish",
			async ({ read, write, params: { id }, query, body }) =>
				// A dry run uses a transaction that cannot write.
				query.dryRun === "true"
					? read((work) => ({ data: { taskId: null, impact: impactOf(work, kind, id, body) } }))
					: write((work) => ({ data: publish(work, kind, id, body) })),
			{
				detail: packageOperations(kind).publish,
				permit: { scope: "CATALOG:WRITE", onlyReadsWith: "dryRun=true" },
				params,
				query: PublishQuery,
				body: PackagePublish,
				response: single(PublishResult),
			},
		);

export function chargePage(
	work: Work,
	kind: PackageKind,
	refId: string,
	isOverage: boolean,
	query: ChargeListQuery,
	chargesInUse: Publishing["chargesInUse"],
) {
	const version = getVersion(work, kind, refId, query);
	const page = listCharges(work, version.id, isOverage, query);
	return viewPage(page, viewCharge(refsOfCharges(work, page.rows), chargesInUse(work, version)));
}

/** Returns the complete content of both lists of charges of a version. Setting the charges responds with it. */
export function pricingOf(
	work: Work,
	version: VersionRow,
	chargesInUse: Publishing["chargesInUse"],
): { charges: Charge[]; overageCharges: Charge[] } {
	const rows = chargesOf(work, version.id);
	const viewed = rows.map(viewCharge(refsOfCharges(work, rows), chargesInUse(work, version)));
	return {
		charges: viewed.filter((_, at) => !rows[at]?.isOverage),
		overageCharges: viewed.filter((_, at) => rows[at]?.isOverage),
	};
}

/** Endpoint 3 and the related endpoints, under `/plans/{planId}` and `/addons/{addonId}`. */
export const packageEntitlementRoutes = (services: Services, kind: PackageKind) =>
	new Elysia({ normalize: false })
		.use(identity(services))
		.get(
			"/:id/entitlements",
			({ read, params: { id }, query }) =>
				read((work) => ({
					data: viewAll(work, entitlementsOf(work, getVersion(work, kind, id, query).id)),
					// The response has all of them (docs/interface/http.md), so there is no other page.
					pagination: { next: null, prev: null },
				})),
			{
				detail: packageOperations(kind).entitlements.list,
				permit: readable,
				params,
				query: VersionQuery,
				response: answer(
					Type.Object({
						data: Type.Array(PackageEntitlement),
						pagination: Pagination,
					}),
				),
			},
		)
		.post(
			"/:id/entitlements",
			({ create, params: { id }, body }) =>
				create((work) => ({ data: viewAll(work, createEntitlements(work, kind, id, body)) })),
			{
				detail: packageOperations(kind).entitlements.create,
				permit: "CATALOG:WRITE",
				params,
				body: PackageEntitlementsCreate,
				response: { 201: single(Type.Array(PackageEntitlement)) },
			},
		)
		.patch(
			"/:id/entitlements/:entitlementId",
			({ write, params: { id, entitlementId }, body }) =>
				write((work) => ({ data: viewOne(work, updateEntitlement(work, kind, id, entitlementId, body)) })),
			{
				detail: packageOperations(kind).entitlements.update,
				permit: "CATALOG:WRITE",
				params: Type.Object({ id: RefId, entitlementId: RefId }),
				body: PackageEntitlementUpdate,
				response: single(PackageEntitlement),
			},
		)
		.delete(
			"/:id/entitlements/:entitlementId",
			({ write, params: { id, entitlementId } }) =>
				write((work) => ({ data: viewOne(work, removeEntitlement(work, kind, id, entitlementId)) })),
			{
				detail: packageOperations(kind).entitlements.delete,
				permit: "CATALOG:WRITE",
				params: Type.Object({ id: RefId, entitlementId: RefId }),
				response: single(PackageEntitlement),
			},
		);

const viewAll = (work: Work, rows: readonly PackageEntitlementRow[]) =>
	rows.map(viewEntitlement(refsOfEntitlements(work, rows)));

const viewOne = (work: Work, row: PackageEntitlementRow) => viewEntitlement(refsOfEntitlements(work, [row]))(row);
