// The socket for reasons, goals and slow checks: a search does not delay them, and they do not delay a search.

import { Workspace } from "./workspace";

export const reasoner = new Workspace();
