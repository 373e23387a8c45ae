import { Route, Switch } from "wouter";
import { PackageList } from "../packages/list";
import { PackagePage } from "../packages/package";

export default function Addons() {
	return (
		<Switch>
			<Route path="/addons">
				<PackageList kind="ADDON" />
			</Route>
			<Route path="/addons/:id">{({ id }) => <PackagePage key={id} kind="ADDON" id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}
