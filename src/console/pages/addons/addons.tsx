import { Packages } from "../packages/list";

const Addons = () => <Packages kind="ADDON" />;
export default Addons;
