import { type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { Outgoing } from "../../../server/context";
import { GovernedPath } from "../schema";
import {
	approveRequest,
	createRequest,
	declineRequest,
	type NotifyApprover,
	requestsByIds,
	requestsWhere,
	shownRequests,
} from "./operations";
import { BudgetApproval, BudgetDecline, BudgetRequest, NewBudgetRequest, RequestDuration } from "./schema";
import { type BudgetRequestRow, budgetRequests } from "./table";

const schemas = { BudgetApproval, BudgetDecline, BudgetRequest, NewBudgetRequest, RequestDuration };

const typeDefs = `
	enum GovernanceRequestStatus from BudgetRequest.status
	enum GovernanceRequestDuration from RequestDuration
	"A request for a higher budget. Exactly one of featureId and currencyId is set."
	type GovernanceBudgetRequest from BudgetRequest { * }
	${connectionTypes("GovernanceBudgetRequest", false)}
	input GovernanceBudgetRequestsInput { customerId: String! status: GovernanceRequestStatus paging: CursorPaging }
	input CreateGovernanceBudgetRequestInput from NewBudgetRequest { customerId: String! * }
	"Without amount, the requested amount is approved."
	input ApproveGovernanceBudgetRequestInput from BudgetApproval { id: String! * }
	input DeclineGovernanceBudgetRequestInput { id: String! }
`;

/** A request as GraphQL shows it: with instants. */
type Shown = Omit<BudgetRequest, "expiresAt" | "createdAt" | "updatedAt"> &
	Pick<BudgetRequestRow, "createdAt" | "updatedAt"> & { readonly expiresAt: Instant | null };

function shown(work: Work, rows: readonly BudgetRequestRow[]): Map<string, Shown> {
	const views = shownRequests(work, rows);
	return new Map(
		rows.flatMap(({ id, nextDueAt: expiresAt, createdAt, updatedAt }, at) => {
			const view = views[at];
			return view ? [[id, { ...view, expiresAt, createdAt, updatedAt }]] : [];
		}),
	);
}

const shownOne = (work: Work, row: BudgetRequestRow): Shown | null => shown(work, [row]).get(row.id) ?? null;

const shared = { scope: "CUSTOMER:WRITE", dropsNulls: true } as const;
const ofRequest = mutationsOf({ ...shared, returns: "GovernanceBudgetRequest", path: { id: "id" } });

export const budgetRequestsGraphql = (notifyBy: (outgoing: Outgoing) => NotifyApprover): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { GovernanceBudgetRequest: { fields: {} } },
	queries: {
		governanceBudgetRequests: pagedQuery(budgetRequests, {
			...{ type: "GovernanceBudgetRequest", args: "(input: GovernanceBudgetRequestsInput!)", scope: "CUSTOMER:READ" },
			comment: "Throws CustomerNotFound.",
			where: (work, input) => requestsWhere(work, textOf(input, "customerId") ?? "", textOf(input, "status")),
			rows: (work, ids) => shown(work, requestsByIds(work, ids)),
		}),
	},
	mutations: {
		createGovernanceBudgetRequest: operation({
			...{ ...shared, path: { customerId: "id" }, params: GovernedPath.properties, body: NewBudgetRequest },
			signature: "(input: CreateGovernanceBudgetRequestInput!): GovernanceBudgetRequest",
			run: (work, body, { id }, outgoing) => shownOne(work, createRequest(work, id, body, notifyBy(outgoing))),
		}),
		approveGovernanceBudgetRequest: ofRequest.change(
			"ApproveGovernanceBudgetRequestInput",
			BudgetApproval,
			(work, id, body) => shownOne(work, approveRequest(work, id, body)),
			{ comment: "The higher limit counts at once. Throws InvalidArgumentError for a decided request." },
		),
		declineGovernanceBudgetRequest: ofRequest.change("DeclineGovernanceBudgetRequestInput", BudgetDecline, (work, id) =>
			shownOne(work, declineRequest(work, id)),
		),
	},
});
