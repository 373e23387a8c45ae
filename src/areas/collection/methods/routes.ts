import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { attachMethod } from "./attach";
import { methodOperations as operations } from "./openapi";
import { listMethods } from "./operations";
import { chooseDefault, type MethodOperations, type OwnMethod } from "./operations.choose";
import { CustomerPath, MethodAttach, MethodListQuery, MethodPath, PaymentMethod } from "./schema";
import { viewMethod } from "./view";

const show = ({ customer, method }: OwnMethod) => ({ data: viewMethod(method, customer) });

const writeScope = "CUSTOMER:WRITE";

/** Routes of the payment methods that customers have saved at providers. */
export const methodRoutes = (services: Services, { removeMethod }: MethodOperations) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Charging"], normalize: false })
		.use(identity(services))
		.get(
			"/payment-methods",
			({ read, params: { id }, query }) =>
				read((work) => {
					const { customer, page } = listMethods(work, id, query);
					return viewPage(page, (row) => viewMethod(row, customer));
				}),
			{
				detail: operations.list,
				permit: "CUSTOMER:READ",
				params: CustomerPath,
				query: MethodListQuery,
				response: listOf(PaymentMethod),
			},
		)
		.post(
			"/payment-methods",
			async ({ actor, cause, once, params: { id }, body, status }) =>
				status(201, await once(async () => ({ data: await attachMethod(services, actor, cause(), id, body) }))),
			{
				detail: operations.attach,
				permit: { scope: writeScope, takesLong: true },
				params: CustomerPath,
				body: MethodAttach,
				response: { 201: single(PaymentMethod) },
			},
		)
		.post(
			"/default-payment-method/:methodId",
			({ write, params: { id, methodId } }) => write((work) => show(chooseDefault(work, id, methodId))),
			{ detail: operations.chooseDefault, permit: writeScope, params: MethodPath, response: single(PaymentMethod) },
		)
		.delete(
			"/payment-methods/:methodId",
			({ write, params: { id, methodId } }) => write((work) => show(removeMethod(work, id, methodId))),
			{ detail: operations.remove, permit: writeScope, params: MethodPath, response: single(PaymentMethod) },
		);
