import { inArray, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { type Input, NoBody, operation } from "../../../graphql/input/operation";
import { date, type List, reckoned, text } from "../../../graphql/lists/list";
import { getOwnEnvironment } from "../operations";
import { environments } from "../table";
import {
	archiveOwnEnvironment,
	createOwnEnvironment,
	environmentsByIds,
	environmentsSeenBy,
	updateOwnEnvironment,
} from "./operations";
import { type Environment, EnvironmentCreate, EnvironmentUpdate } from "./schema";
import { viewEnvironment } from "./view";

const settings = `
		unknownCustomers: UnknownCustomers
		clientHardening: Boolean
		allowedOrigins: [String!]
		billingAnchor: BillingAnchor
		defaultCurrency: Currency
`;

const typeDefs = `
	enum EnvironmentType { PRODUCTION SANDBOX DEVELOPMENT }
	enum EnvironmentStatus { ACTIVE ARCHIVED }
	enum UnknownCustomers { refuse accept }
	enum BillingAnchor { SUBSCRIPTION_START START_OF_THE_MONTH }
	type Environment {
		id: ID!
		accountId: String!
		name: String!
		type: EnvironmentType!
		status: EnvironmentStatus!
		"What usage events of customers that do not exist meet."
		unknownCustomers: UnknownCustomers!
		clientHardening: Boolean!
		allowedOrigins: [String!]!
		billingAnchor: BillingAnchor!
		defaultCurrency: String!
		createdAt: DateTime!
		archivedAt: DateTime
		"The secret of its full-access key, only in the answer that created it; null unless the caller is an owner of the account."
		fullAccessKey: String
		"The secret of its publishable key, only in the answer that created it."
		publishableKey: String
	}
	input CreateEnvironmentInput { name: String! type: EnvironmentType ${settings} }
	"What is left out stays."
	input UpdateEnvironmentInput { name: String ${settings} }
	extend type Query {
		"The one that the call belongs to."
		environment: Environment!
	}
	extend type Mutation {
		"For signed-in users: a key creates no environments."
		createOneEnvironment(input: CreateEnvironmentInput!): Environment
		"Changes the environment that the call belongs to."
		updateOneEnvironment(input: UpdateEnvironmentInput!): Environment
		"Ends the environment that the call belongs to, for good. For signed-in users."
		archiveEnvironment: Environment
	}
`;

/** GraphQL spells currencies in upper case. */
const inRestSpelling = ({ defaultCurrency, ...input }: Input): Input => ({
	...input,
	...(defaultCurrency !== undefined && {
		defaultCurrency: typeof defaultCurrency === "string" ? defaultCurrency.toLowerCase() : defaultCurrency,
	}),
});

const list: List = {
	field: "environments",
	everyField: "allEnvironments",
	type: "Environment",
	scope: "ENVIRONMENT:READ",
	source: sql`${environments}`,
	id: environments.id,
	within: (work) =>
		inArray(
			environments.id,
			environmentsSeenBy(work).map(({ id }) => id),
		),
	shown: () => isNull(environments.archivedAt),
	fields: {
		id: text(environments.id),
		name: text(environments.name),
		type: reckoned({ enum: "EnvironmentType" }, environments.kind),
		createdAt: date(environments.createdAt),
	},
	rows: (work, ids) => new Map(environmentsByIds(work, ids).map((one) => [one.id, viewEnvironment(one)])),
};

const scope = "ENVIRONMENT:WRITE";

export const environmentsGraphql: GraphqlArea = {
	typeDefs,
	types: {
		Environment: fieldsOf<Environment>({
			scope: "ENVIRONMENT:READ",
			open: ["id"],
			fields: { defaultCurrency: ({ defaultCurrency }) => defaultCurrency.toUpperCase() },
		}),
	},
	queries: {
		environment: {
			scope: "ENVIRONMENT:READ",
			resolve: (_, { work }) => viewEnvironment(getOwnEnvironment(work)),
		},
	},
	mutations: {
		createOneEnvironment: operation({
			...{ scope, read: inRestSpelling, body: EnvironmentCreate },
			run: (work, body) => {
				const { environment, ...keys } = createOwnEnvironment(work, body);
				return { ...viewEnvironment(environment), ...keys };
			},
		}),
		updateOneEnvironment: operation({
			...{ scope, read: inRestSpelling, body: EnvironmentUpdate },
			run: (work, body) => viewEnvironment(updateOwnEnvironment(work, body)),
		}),
		archiveEnvironment: operation({
			...{ scope, body: NoBody },
			run: (work) => viewEnvironment(archiveOwnEnvironment(work)),
		}),
	},
	lists: [list],
};
