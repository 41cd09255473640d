module example.org/sandpiper/clients/go

go 1.21
