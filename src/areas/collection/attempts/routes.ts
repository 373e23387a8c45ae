import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { attemptOperations as operations } from "./openapi";
import { cancelByHand, getAttempt, listAttempts } from "./operations";
import { type ChargeOperations, resolveAttempt } from "./operations.steps";
import { AttemptCreate, AttemptListQuery, AttemptPath, AttemptResolution, PaymentAttempt } from "./schema";
import type { AttemptRow } from "./table";
import { attemptsShown, viewAttempt } from "./view";

const shown = (work: Work, attempt: AttemptRow) => ({ data: viewAttempt(work, attempt) });

const response = single(PaymentAttempt);
const readScope = "INVOICE:READ";
const writeScope = "INVOICE:WRITE";

/** Routes of attempts to collect money. */
export const attemptRoutes = (services: Services, { chargeInvoice, settleAttempt }: ChargeOperations) =>
	new Elysia({ prefix: "/api/v1/attempts", tags: ["Charging"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listAttempts(work, query);
					return viewPage(page, attemptsShown(work, page.rows));
				}),
			{ detail: operations.list, permit: readScope, query: AttemptListQuery, response: listOf(PaymentAttempt) },
		)
		.post(
			"",
			({ create, body: { invoiceId, paymentMethodId } }) =>
				create((work) => shown(work, chargeInvoice(work, invoiceId, paymentMethodId))),
			{ detail: operations.create, permit: writeScope, body: AttemptCreate, response: { 201: response } },
		)
		.get("/:id", ({ read, params: { id } }) => read((work) => shown(work, getAttempt(work, id))), {
			...{ detail: operations.retrieve, permit: readScope, params: AttemptPath, response },
		})
		.post("/:id/cancel", ({ write, params: { id } }) => write((work) => shown(work, cancelByHand(work, id))), {
			...{ detail: operations.cancel, permit: writeScope, params: AttemptPath, response },
		})
		.post(
			"/:id/resolve",
			({ write, params: { id }, body }) => write((work) => shown(work, resolveAttempt(work, id, body, settleAttempt))),
			{
				detail: operations.resolve,
				permit: writeScope,
				params: AttemptPath,
				body: AttemptResolution,
				response,
			},
		);
