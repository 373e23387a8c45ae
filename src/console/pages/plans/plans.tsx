import { Route, Switch } from "wouter";
import { PackageList } from "../packages/list";
import { PackagePage } from "../packages/package";

export default function Plans() {
	return (
		<Switch>
			<Route path="/plans">
				<PackageList kind="PLAN" />
			</Route>
			<Route path="/plans/:id">{({ id }) => <PackagePage key={id} kind="PLAN" id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}
