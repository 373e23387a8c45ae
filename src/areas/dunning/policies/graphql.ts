import { byRefIdQuery, type GraphqlArea } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { archivePolicy, createPolicy, getPolicy, policiesByIds, setCustomerPolicy, updatePolicy } from "./operations";
import {
	CustomerDunning,
	CustomerDunningUpdate,
	DunningPolicy,
	DunningPolicyCreate,
	DunningPolicyUpdate,
} from "./schema";
import { dunningPolicies } from "./table";
import { viewCustomerDunning, viewPolicies, viewPolicy } from "./view";

const schemas = { CustomerDunning, CustomerDunningUpdate, DunningPolicy, DunningPolicyCreate, DunningPolicyUpdate };

const typeDefs = `
	enum DunningPolicyStatus from DunningPolicy.status
	enum DunningEndAction from DunningPolicy.end.action
	enum DunningFailureBucket from DunningPolicy.retries.buckets
	enum DunningReminderKind from DunningPolicy.texts.kind
	enum DunningMailLanguage from DunningPolicy.texts.language
	enum DunningPolicySource from CustomerDunning.applied.source
	"The tries of charged invoices: days from the due date, and the failures that they follow."
	type DunningPolicyRetries { days: [Int!]! buckets: [DunningFailureBucket!]! }
	type DunningPolicyEnd { action: DunningEndAction! "Days from the due date." afterDays: Int! }
	type DunningPolicyText { kind: DunningReminderKind! language: DunningMailLanguage! subject: String! text: String! }
	type DunningPolicyScope { isDefault: Boolean! legalEntityIds: [String!]! planIds: [String!]! }
	"When customers are reminded of open invoices, and the end."
	type DunningPolicy {
		"The caller's id."
		id: ID! displayName: String! status: DunningPolicyStatus!
		"Days from the due date."
		reminders: [Int!]!
		"Null: Tollgate charges nothing again."
		retries: DunningPolicyRetries end: DunningPolicyEnd! texts: [DunningPolicyText!]! appliesTo: DunningPolicyScope!
		createdAt: DateTime! updatedAt: DateTime!
	}
	${connectionTypes("DunningPolicy", false)}
	type AppliedDunningPolicy { policyId: String! source: DunningPolicySource! }
	type CustomerDunning {
		customerId: String! policyId: String isExempt: Boolean!
		"The policy of its next invoice without a plan."
		applied: AppliedDunningPolicy
	}
	input DunningPoliciesInput { paging: CursorPaging }
	input DunningPolicyRetriesInput { days: [Int!]! buckets: [DunningFailureBucket!] }
	input DunningPolicyEndInput { action: DunningEndAction! afterDays: Int! }
	input DunningPolicyTextInput {
		kind: DunningReminderKind! language: DunningMailLanguage! subject: String! text: String!
	}
	input DunningPolicyScopeInput { isDefault: Boolean legalEntityIds: [String!] planIds: [String!] }
	"Default of the reminders: -3, 0, 7, 14 and 28 days; of the tries: 0, 2, 5, 9, 14 and 21 days, before the end."
	input CreateDunningPolicyInput {
		refId: String! displayName: String! reminders: [Int!] retries: DunningPolicyRetriesInput end: DunningPolicyEndInput!
		texts: [DunningPolicyTextInput!] appliesTo: DunningPolicyScopeInput
	}
	"Omitted members stay."
	input UpdateDunningPolicyInput {
		refId: String! displayName: String reminders: [Int!] retries: DunningPolicyRetriesInput end: DunningPolicyEndInput
		texts: [DunningPolicyTextInput!] appliesTo: DunningPolicyScopeInput
	}
	"A policy of null removes the customer's own."
	input UpdateCustomerDunningInput { refId: String! policyId: String isExempt: Boolean }
`;

const scope = "INVOICE:READ";
const write = mutationsOf({ returns: "DunningPolicy", scope: "INVOICE:WRITE" });

/** Returns the views of policies by row id. */
function views(work: Work, ids: readonly string[]): Map<string, DunningPolicy> {
	const rows = [...policiesByIds(work, ids).values()];
	return new Map(viewPolicies(work, rows).map((view, at) => [rows[at]?.id ?? "", view]));
}

export const dunningPoliciesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {},
	queries: {
		dunningPolicy: byRefIdQuery(
			"DunningPolicy",
			scope,
			"Throws an error without a code if there is none.",
			(work, id) => viewPolicy(work, getPolicy(work, id)),
		),
		dunningPolicies: pagedQuery(dunningPolicies, {
			...{ type: "DunningPolicy", args: "(input: DunningPoliciesInput!)", scope, rows: views },
			comment: "Newest first.",
			where: () => undefined,
		}),
	},
	mutations: {
		createDunningPolicy: write.create("CreateDunningPolicyInput", DunningPolicyCreate, (work, body) =>
			viewPolicy(work, createPolicy(work, body)),
		),
		updateDunningPolicy: write.change("UpdateDunningPolicyInput", DunningPolicyUpdate, (work, id, body) =>
			viewPolicy(work, updatePolicy(work, id, body)),
		),
		archiveDunningPolicy: write.act((work, id) => viewPolicy(work, archivePolicy(work, id))),
		updateCustomerDunning: write.change(
			"UpdateCustomerDunningInput",
			CustomerDunningUpdate,
			(work, id, body) => viewCustomerDunning(work, setCustomerPolicy(work, id, body)),
			{ returns: "CustomerDunning" },
		),
	},
};
