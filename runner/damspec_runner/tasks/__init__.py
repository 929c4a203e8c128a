"""Heavy work in shares: done here, by processes of this machine or by a cluster, with the same result."""
