import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { answer, listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { CustomerPath } from "../customers/schema";
import { listLegalEntities } from "../legal-entities/operations";
import { shown, shownBy } from "./details";
import { contractOperations as operations } from "./openapi";
import { contractsOf, createContract, getContract, listContracts } from "./operations";
import { addItems, deleteItem, deleteItemRow, replaceItemRows } from "./operations.billing";
import { addSubscriptions, archiveContract, unlinkSubscription, updateContract } from "./operations.changes";
import { changeSettings, changeTerms } from "./operations.terms";
import { pricingModels } from "./rules.models";
import {
	BillingSettings,
	BillingTerms,
	ContractCreate,
	ContractListQuery,
	ContractPath,
	ContractUpdate,
	ItemPath,
	ItemsAdd,
	ItemUpdate,
	MemberPath,
	NoBody,
	NoQuery,
	RowPath,
	SubscriptionsAdd,
} from "./schema";
import { Contract, ContractTotals, LegalEntity, PricingModelView } from "./schema.shown";
import { viewLegalEntity, viewPricingModel, viewTotals } from "./view";

/** A fixed, short list without pages. */
const wholeList = <View>(data: View[]) => ({ data, pagination: { next: null, prev: null } });

export const contractRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/contracts", tags: ["Contracts"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listContracts(work, query);
					return viewPage(page, shownBy(work, page.rows));
				}),
			{ detail: operations.list, permit: "CONTRACT:READ", query: ContractListQuery, response: listOf(Contract) },
		)
		.post("", ({ create, body }) => create((work) => ({ data: shown(work, createContract(work, body)) })), {
			detail: operations.create,
			permit: "CONTRACT:WRITE",
			body: ContractCreate,
			response: { 201: single(Contract) },
		})
		.get("/pricing-models", ({ read }) => read(() => wholeList(pricingModels.map(viewPricingModel))), {
			detail: operations.listPricingModels,
			permit: "CONTRACT:READ",
			query: NoQuery,
			response: listOf(PricingModelView),
		})
		.get(
			"/legal-entities",
			async ({ actor, read }) => {
				const entities = async () => await read((work) => listLegalEntities(work).map(viewLegalEntity));
				// The first call creates the default legal entity.
				if ((await entities()).length === 0) await services.write(actor, "makeDefaultLegalEntity", null);
				return wholeList(await entities());
			},
			{ detail: operations.listLegalEntities, permit: "CONTRACT:READ", query: NoQuery, response: listOf(LegalEntity) },
		)
		.get("/:id", ({ read, params }) => read((work) => ({ data: shown(work, getContract(work, params.id)) })), {
			detail: operations.retrieve,
			permit: "CONTRACT:READ",
			params: ContractPath,
			response: single(Contract),
		})
		.patch(
			"/:id",
			({ write, params, body }) => write((work) => ({ data: shown(work, updateContract(work, params.id, body)) })),
			{
				detail: operations.update,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: ContractUpdate,
				response: single(Contract),
			},
		)
		.post(
			"/:id/archive",
			({ write, params }) => write((work) => ({ data: shown(work, archiveContract(work, params.id)) })),
			{
				detail: operations.delete,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: NoBody,
				response: single(Contract),
			},
		)
		.post(
			"/:id/subscriptions",
			({ write, params, body }) => write((work) => ({ data: shown(work, addSubscriptions(work, params.id, body)) })),
			{
				detail: operations.addSubscriptions,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: SubscriptionsAdd,
				response: single(Contract),
			},
		)
		.delete(
			"/:id/subscriptions/:subscriptionId",
			({ write, params: { id, subscriptionId } }) =>
				write((work) => ({ data: shown(work, unlinkSubscription(work, id, subscriptionId)) })),
			{
				detail: operations.removeSubscription,
				permit: "CONTRACT:WRITE",
				params: MemberPath,
				response: single(Contract),
			},
		)
		.patch(
			"/:id/billing/terms",
			({ write, params, body }) => write((work) => ({ data: viewTotals(changeTerms(work, params.id, body)) })),
			{
				detail: operations.updateTerms,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: BillingTerms,
				response: single(ContractTotals),
			},
		)
		.patch(
			"/:id/billing/settings",
			({ write, params, body }) => write((work) => ({ data: viewTotals(changeSettings(work, params.id, body)) })),
			{
				detail: operations.updateSettings,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: BillingSettings,
				response: single(ContractTotals),
			},
		)
		.post(
			"/:id/billing/items",
			({ create, params, body }) => create((work) => ({ data: viewTotals(addItems(work, params.id, body)) })),
			{
				detail: operations.addItems,
				permit: "CONTRACT:WRITE",
				params: ContractPath,
				body: ItemsAdd,
				response: { 201: single(ContractTotals) },
			},
		)
		.patch(
			"/:id/billing/items/:itemRef",
			({ write, params: { id, itemRef }, body }) =>
				write((work) => ({ data: viewTotals(replaceItemRows(work, id, itemRef, body.rows)) })),
			{
				detail: operations.updateItem,
				permit: "CONTRACT:WRITE",
				params: ItemPath,
				body: ItemUpdate,
				response: single(ContractTotals),
			},
		)
		.delete(
			"/:id/billing/items/:itemRef",
			({ write, params: { id, itemRef } }) => write((work) => ({ data: viewTotals(deleteItem(work, id, itemRef)) })),
			{ detail: operations.deleteItem, permit: "CONTRACT:WRITE", params: ItemPath, response: single(ContractTotals) },
		)
		.delete(
			"/:id/billing/items/:itemRef/rows/:rowIndex",
			({ write, params: { id, itemRef, rowIndex } }) =>
				write((work) => ({ data: viewTotals(deleteItemRow(work, id, itemRef, Number(rowIndex))) })),
			{ detail: operations.deleteItemRow, permit: "CONTRACT:WRITE", params: RowPath, response: single(ContractTotals) },
		);

/** Routes of a customer's contracts, without pages (docs/interface/customers.md). */
export const customerContractRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers", tags: ["Customers"], normalize: false }).use(identity(services)).get(
		"/:id/contracts",
		({ read, params: { id } }) =>
			read((work) => {
				const contracts = contractsOf(work, id);
				return { data: contracts.map(shownBy(work, contracts)) };
			}),
		{
			detail: operations.listOfCustomer,
			permit: "CONTRACT:READ",
			params: CustomerPath,
			response: answer(Type.Object({ data: Type.Array(Contract) })),
		},
	);
