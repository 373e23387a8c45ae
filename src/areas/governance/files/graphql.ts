import { type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { GovernedPath } from "../schema";
import { applyBudgetFile, exportBudgetFile, planBudgetFile } from "./operations";
import { BudgetDifference, BudgetFile } from "./schema";

const typeDefs = `
	"The budgets of a customer's active entities, without usage."
	type GovernanceBudgetFile from BudgetFile {
		budgets as GovernanceFileBudget "Exactly one of featureId and currencyId is set." { * }
	}
	"The changes of a file of budgets. Budgets that the file does not have are kept."
	type GovernanceBudgetDifference from BudgetDifference {
		changes as GovernanceBudgetChange {
			*
			fields as GovernanceBudgetFieldChange "before is absent for a new budget." { name before: JSON after: JSON }
		}
		kept as GovernanceBudgetPlace { * }
	}
	input GovernanceBudgetFileInput { customerId: String! }
	input PutGovernanceBudgetFileInput from BudgetFile {
		customerId: String! budgets as GovernanceFileBudgetInput { * }
	}
`;

const ofFile = mutationsOf({
	...{ returns: "GovernanceBudgetDifference", scope: "CUSTOMER:WRITE" },
	...{ path: { customerId: "id" }, params: GovernedPath.properties },
});

/** The file of a customer's budgets, as its REST routes have it. */
export const budgetFileGraphql: GraphqlArea = {
	schemas: { BudgetFile, BudgetDifference },
	typeDefs,
	queries: {
		governanceBudgetFile: {
			...{ signature: "(input: GovernanceBudgetFileInput!): GovernanceBudgetFile", scope: "CUSTOMER:READ" },
			comment: "Throws CustomerNotFound, and BadUserInput if a customer has more budgets than a file can have.",
			resolve: (args, { work }) => exportBudgetFile(work, textOf(inputOf(args, "input"), "customerId") ?? ""),
		},
	},
	mutations: {
		planGovernanceBudgetFile: ofFile.change("PutGovernanceBudgetFileInput", BudgetFile, planBudgetFile, {
			comment: "Applies a file and rolls it back: returns the changes, or the refusal.",
		}),
		applyGovernanceBudgetFile: ofFile.change("PutGovernanceBudgetFileInput", BudgetFile, applyBudgetFile, {
			comment: "Creates and changes budgets, all or none. Budgets that the file does not have stay.",
		}),
	},
};
